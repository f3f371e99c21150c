/**
 * Searching the index on a server, newest first, in at most four steps; each is for what the one before
 * finds too little of.
 *
 * 1. Among the newest facts, one after the other: finds what many have.
 * 2. By the trigram index, in the newest periods: finds what some of the newest have.
 * 3. By the trigram index: finds what few have. It has no order, and gives up at too many.
 * 4. By the trigram index, period by period: finds what many have, and none of late.
 *
 * Statements are shaped so that a planner has no choice: it cannot know which words are rare.
 */
import type { RunStatement } from '../../store/postgres/server.ts';
import type { Fact } from '../document.ts';
import { FACT_COLUMNS } from '../fact-columns.ts';
import type { CardFilter } from '../rank.ts';
import {
  conditionsOf,
  type DocRange,
  indexedBy,
  isIndexed,
  likeOf,
  orderOf,
  type Patterns,
  patternsOf,
  periodAt,
  rangeOf,
  Values,
  within,
} from './postgres-conditions.ts';
import { NUMBER_BITS, plain } from './postgres-write-facts.ts';
import { periodOf } from './signs.ts';

export type FoundRow = Fact & { doc: number | bigint };

/** What is looked for. */
export interface Wanted {
  /** Words, folded. */
  text: string;
  /** A name that it is called by exactly, folded. */
  key?: string;
  filter: CardFilter;
  /** Of this environment, and of an account that is known. */
  environment?: string | null;
  limit: number;
  /** Few have it: looking among the newest is of no use. */
  isRare?: boolean;
}

/** How far each step goes. */
export interface Steps {
  /** Facts that are looked at one by one. */
  walked: number;
  /** Of so many that fit the newest are found sooner period by period. */
  many: number;
  /** Periods that are looked in before all: of what few have, few are lost by it. */
  lately: number;
  /** Periods of one statement. */
  periods: number;
  /** Entries of one name that are looked at, where a filter may let through but few of them. */
  called: number;
}

/** Some milliseconds each. */
export const STEPS: Steps = { walked: 4_000, many: 2_000, lately: 2, periods: 24, called: 5_000 };

/** Who is asked. */
export interface Asked {
  run: RunStatement;
  steps: Steps;
}

const COLUMNS = FACT_COLUMNS.replaceAll(/ AS (\w+)/g, ' AS "$1"');

/** What was found, newest first. */
export interface Fitting {
  rows: FoundRow[];
  /** All customers among all that fit, up to the limit; undefined where those were not all looked at. */
  people: FoundRow[] | undefined;
}

/** @returns the newest facts that fit, newest first */
export async function newestFitting(asked: Asked, wanted: Wanted): Promise<FoundRow[]> {
  return (await fitting(asked, wanted)).rows;
}

/** @returns the newest facts that fit, and the customers among them */
export async function fitting(asked: Asked, wanted: Wanted): Promise<Fitting> {
  const isFound = isIndexed(patternsFor(wanted));
  if (wanted.isRare && isFound)
    return older(asked, wanted, { rows: [], ...rangeOf(wanted.filter) });
  const walked = await walk(asked, wanted, rangeOf(wanted.filter), asked.steps.walked);
  if (isEnough(walked, wanted)) return withPeople(walked, wanted);
  if (!isFound) return { rows: await walkOn(asked, wanted, walked), people: undefined };
  const range = { ...rangeOf(wanted.filter), below: walked.below };
  // What none of them has, few will have.
  if (walked.rows.length === 0) return older(asked, wanted, { ...range, rows: [] });
  const late = await byPeriods(asked, left(wanted, walked.rows), range, asked.steps.lately);
  const found = { rows: [...walked.rows, ...late.rows], below: late.below };
  if (isEnough(found, wanted)) return withPeople(found, wanted);
  return older(asked, wanted, { ...range, ...found });
}

/** Looks among all that is left of a range. @param found what fits of the rest of it, all of it */
async function older(
  asked: Asked,
  wanted: Wanted,
  { rows, ...range }: DocRange & { rows: FoundRow[] },
): Promise<Fitting> {
  const rest = left(wanted, rows);
  const few = await fewFitting(asked, { ...rest, mostPeople: wanted.limit }, range);
  if (!few) {
    const many = await manyFitting(asked, rest, range);
    return { rows: [...rows, ...many], people: undefined };
  }
  const all = [...rows, ...few];
  return { rows: all.slice(0, wanted.limit), people: peopleAmong(all, wanted) };
}

function withPeople({ rows, below }: Walked, wanted: Wanted): Fitting {
  const isAll = below === undefined && rows.length < wanted.limit;
  return { rows, people: isAll ? peopleAmong(rows, wanted) : undefined };
}

function peopleAmong(rows: readonly FoundRow[], { limit }: Wanted): FoundRow[] {
  return rows.filter(({ kind }) => kind === 'customer').slice(0, limit);
}

/** What is still wanted when some are found. */
function left(wanted: Wanted, found: readonly FoundRow[]): Wanted {
  return { ...wanted, limit: wanted.limit - found.length };
}

function patternsFor({ text, key, filter }: Wanted): Patterns {
  const patterns = patternsOf(text, filter);
  return key === undefined
    ? patterns
    : { ...patterns, words: [...patterns.words, likeOf(plain(key))] };
}

function conditionsFor(values: Values, { key, filter, environment }: Wanted): string[] {
  const where = conditionsOf(values, filter);
  if (key !== undefined) where.push(`${values.add(plain(key))} = ANY (keys)`);
  if (environment !== undefined)
    where.push(
      `environment = coalesce(${values.add(environment)}::text, environment) AND account IS NOT NULL`,
    );
  return where;
}

interface Walked {
  rows: FoundRow[];
  /** What was not looked at is below it; undefined for nothing. */
  below: string | undefined;
}

function isEnough({ rows, below }: Walked, { limit }: Wanted): boolean {
  return below === undefined || rows.length >= limit;
}

/** Looks at the newest facts of a range one by one. */
async function walk(
  { run }: Asked,
  wanted: Wanted,
  range: DocRange,
  most: number,
): Promise<Walked> {
  const values = new Values();
  const order = orderOf(values, wanted.filter, range);
  const [looked, by] = [and(order.looked), order.by('DESC')];
  const texts = patternsOf(wanted.text, {}).words.map((word) => `text LIKE ${values.add(word)}`);
  const fits = and([...conditionsFor(values, wanted), ...texts]);
  const rows = await run<FoundRow & { last: string | null }>(
    `SELECT edge.last, found.*
       FROM (SELECT (SELECT doc::text FROM gw.facts WHERE ${looked}
                      ORDER BY ${by} OFFSET ${most - 1} LIMIT 1) AS last) AS edge
       LEFT JOIN LATERAL (
         SELECT ${COLUMNS}
           FROM (SELECT * FROM gw.facts WHERE ${looked} ORDER BY ${by} LIMIT ${most}) AS facts
          WHERE ${fits} ORDER BY ${by} LIMIT ${values.add(wanted.limit)}) AS found ON true`,
    values.all,
  );
  return {
    rows: rows.filter(({ doc }) => doc !== null).map(({ last: _, ...row }) => row),
    below: rows[0]?.last ?? undefined,
  };
}

/** For what the trigram index cannot look for, such as three dots: all is looked at. */
async function walkOn(asked: Asked, wanted: Wanted, walked: Walked): Promise<FoundRow[]> {
  const { rows, below } = walked;
  const { from } = rangeOf(wanted.filter);
  const next = await walk(asked, left(wanted, rows), { from, below }, asked.steps.walked * 10);
  if (isEnough(next, left(wanted, rows))) return [...rows, ...next.rows];
  return walkOn(asked, wanted, { rows: [...rows, ...next.rows], below: next.below });
}

/** @returns the newest of all that fit, and behind them customers; undefined where all are too many to sort */
async function fewFitting(
  asked: Asked,
  wanted: Wanted & { mostPeople: number },
  range: DocRange,
): Promise<FoundRow[] | undefined> {
  const values = new Values();
  const most = Math.max(asked.steps.many, wanted.limit * 2);
  const limit = values.add(wanted.limit);
  const fits = and([
    ...indexedBy(values, patternsFor(wanted)),
    ...conditionsFor(values, wanted),
    // No range of it: the index of it would be read too.
    ...within(values, range, '(doc + 0)'),
  ]);
  const rows = await asked.run<FoundRow & { count: number }>(
    `WITH fits AS MATERIALIZED (SELECT doc, kind FROM gw.facts WHERE ${fits}),
          few AS MATERIALIZED (SELECT doc, kind FROM fits LIMIT ${most + 1})
     SELECT ${COLUMNS}, (SELECT count(*) FROM few) AS count
       FROM ((SELECT doc FROM few ORDER BY doc DESC LIMIT ${limit})
             UNION
             (SELECT doc FROM few WHERE kind = 'customer'
               ORDER BY doc DESC LIMIT ${values.add(wanted.mostPeople)})) AS newest
      CROSS JOIN LATERAL (SELECT * FROM gw.facts WHERE facts.doc = newest.doc) AS facts
      ORDER BY newest.doc DESC`,
    values.all,
  );
  if ((rows[0]?.count ?? 0) > most) return undefined;
  return rows.map(({ count: _, ...row }) => row);
}

/** Goes back period by period, until there are enough. */
async function manyFitting(asked: Asked, wanted: Wanted, range: DocRange): Promise<FoundRow[]> {
  let { rows, below } = await byPeriods(asked, wanted, range, asked.steps.periods);
  while (below !== undefined && rows.length < wanted.limit) {
    const more = await byPeriods(
      asked,
      left(wanted, rows),
      { ...range, below },
      asked.steps.periods,
    );
    rows = [...rows, ...more.rows];
    below = more.below;
  }
  return rows;
}

/** Looks in the newest periods of a range. @param most how many */
async function byPeriods(
  asked: Asked,
  wanted: Wanted,
  range: DocRange,
  most: number,
): Promise<Walked> {
  const values = new Values();
  const [newest] = await asked.run<{ second: number | null }>(
    `SELECT max(doc) >> ${NUMBER_BITS} AS second FROM gw.facts WHERE ${and(within(values, range))}`,
    values.all,
  );
  const second = newest?.second ?? null;
  if (second === null) return { rows: [], below: undefined };
  const last = periodOf(second);
  const first = Math.max(0, last - most + 1);
  const rows = await inPeriods(asked, wanted, range, [first, last]);
  return { rows, below: periodAt(first).from };
}

async function inPeriods(
  asked: Asked,
  wanted: Wanted,
  range: DocRange,
  [first, last]: readonly [first: number, last: number],
): Promise<FoundRow[]> {
  const values = new Values();
  const periods = Array.from({ length: last - first + 1 }, (_, n) => periodAt(last - n));
  const of = [
    values.add(periods.map(({ sign }) => likeOf(` ${sign} `))),
    values.add(periods.map(({ from }) => from)),
    values.add(periods.map(({ below }) => below)),
  ];
  const limit = values.add(wanted.limit);
  const fits = and([
    // First, since it leaves least to look for the others in.
    'text LIKE period.sign',
    ...indexedBy(values, patternsFor(wanted)),
    'doc + 0 >= period.first AND doc + 0 < period.below',
    ...conditionsFor(values, wanted),
    ...within(values, range, '(doc + 0)'),
  ]);
  // In the order of the periods: what is behind the limit is not looked for.
  return asked.run<FoundRow>(
    `SELECT found.* FROM unnest(${of[0]}::text[], ${of[1]}::bigint[], ${of[2]}::bigint[])
              AS period (sign, first, below)
      CROSS JOIN LATERAL (
        SELECT ${COLUMNS} FROM (SELECT * FROM gw.facts WHERE ${fits} OFFSET 0) AS facts
         ORDER BY doc DESC LIMIT ${limit}) AS found
      LIMIT ${limit}`,
    values.all,
  );
}

/** @param names folded @returns the newest facts that have one of these names */
export async function calledSo(
  asked: Asked,
  names: readonly string[],
  filter: CardFilter,
  limit: number,
): Promise<FoundRow[]> {
  const [name = '', ...others] = new Set(names.map(plain));
  const isCut = others.length === 0 && conditionsOf(new Values(), filter).length > 0;
  const rows = await named(asked, { names: [name, ...others], filter, limit }, isCut);
  if (!isCut || rows.length >= limit) return rows;
  const values = new Values();
  const where = and([`key = ${values.add(name)}`, ...within(values, rangeOf(filter))]);
  const more = await asked.run(
    `SELECT 1 FROM gw.fact_keys WHERE ${where} ORDER BY doc DESC OFFSET ${asked.steps.called} LIMIT 1`,
    values.all,
  );
  if (more.length === 0) return rows;
  return newestFitting(asked, { text: '', key: name, filter, limit, isRare: true });
}

interface Named {
  names: readonly string[];
  filter: CardFilter;
  limit: number;
}

/** In the order of each name, so that one that many have is not read to its end. */
async function named(
  { run, steps }: Asked,
  { names, filter, limit }: Named,
  isCut: boolean,
): Promise<FoundRow[]> {
  const values = new Values();
  const [all, most] = [values.add(names), values.add(limit)];
  const range = within(values, rangeOf(filter));
  const fits = and(['name.key = ANY (keys)', ...conditionsOf(values, filter)]);
  return run<FoundRow>(
    `SELECT ${COLUMNS}
       FROM (SELECT DISTINCT called.doc
               FROM unnest(${all}::text[]) AS name (key)
              CROSS JOIN LATERAL (
                SELECT known.doc
                  FROM (SELECT doc FROM gw.fact_keys WHERE ${and(['key = name.key', ...range])}
                         ORDER BY doc DESC ${isCut ? `LIMIT ${steps.called}` : ''}) AS known
                 CROSS JOIN LATERAL (
                   SELECT 1 FROM gw.facts WHERE facts.doc = known.doc AND ${fits} OFFSET 0) AS fit
                 LIMIT ${most}) AS called
              ORDER BY doc DESC LIMIT ${most}) AS newest
      CROSS JOIN LATERAL (SELECT * FROM gw.facts WHERE facts.doc = newest.doc) AS facts
      ORDER BY newest.doc DESC`,
    values.all,
  );
}

function and(conditions: readonly string[]): string {
  return conditions.length === 0 ? 'true' : conditions.join(' AND ');
}
