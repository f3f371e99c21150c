/** The index in the ledger's SQLite file. */
import type { Queries } from '../../store/sqlite/queries.ts';
import type { Value } from '../../store/stored-text.ts';
import { countDue } from '../deferred.ts';
import { DOCS_A_SECOND, FACT_KINDS, type Fact, type FactKind } from '../document.ts';
import { FACT_COLUMNS } from '../fact-columns.ts';
import { minorUnitsOf } from '../money-of-filter.ts';
import { fold } from '../normalise.ts';
import {
  type CardFilter,
  calledOrPaid,
  factOf,
  firstOf,
  LAST_FOUR,
  linePartOf,
  peopleFirst,
  TRIGRAM,
} from '../rank.ts';
import { type FactScope, factIsOurs, NAMED, namedValues } from '../scope.ts';
import {
  type FactFilter,
  type FactSearch,
  type FactSources,
  type Facts,
  MOST_COUNTED,
} from '../search-index.ts';
import { beginningOf, markOf } from '../search-terms.ts';
import { type FactTotal, newestChargesOf, type TotalsQuery, totalsOf } from '../totals.ts';
import { keyOf, secondOf } from '../words.ts';
import { accountOfProfile } from './account-of-profile.ts';

const PAGE_ROWS = 1_000;

/** Runs a query on one snapshot. */
type Read = <Result>(work: (queries: Queries) => Result) => Promise<Result>;

export class SqliteFacts implements Facts {
  readonly #read: Read;

  constructor(read: Read) {
    this.#read = read;
  }

  search(search: FactSearch): Promise<Fact[]> {
    return this.#read((queries) => {
      const text = fold(search.text ?? '');
      const match = matchOf(text, search);
      if (text === '' && search.reference !== undefined)
        return called(queries, [keyOf(search.reference)], search);
      if (text === '') return newest(queries, match, search);
      const people = peopleCalled(queries, text, search);
      const first = firstOf([...people, ...exactly(queries, text, search)], search.limit);
      if (first.length === search.limit) return first;
      const found = newest(queries, match, { ...search, limit: search.limit + first.length });
      return firstOf([...first, ...found], search.limit);
    }).then((rows) => rows.map(factOf));
  }

  async tied(names: readonly string[], filter: FactFilter & { limit: number }): Promise<Fact[]> {
    const rows = await this.#read((queries) => called(queries, names.map(fold), filter));
    return rows.map(factOf);
  }

  async *each(filter: FactFilter): AsyncGenerator<Fact> {
    for (let above = -1; ; ) {
      const { where, values } = conditions(filter);
      const rows = await this.#read((queries) =>
        queries.all<Row>(
          `SELECT ${FACT_COLUMNS} FROM facts WHERE doc > :above AND ${where} ORDER BY doc LIMIT :count`,
          { ...values, above, count: PAGE_ROWS },
        ),
      );
      for (const row of rows) {
        above = row.doc;
        yield factOf(row);
      }
      if (rows.length < PAGE_ROWS) return;
    }
  }

  sources(): Promise<FactSources> {
    return this.#read((queries) => {
      const counts = queries.all<{ kind: FactKind; count: number }>(
        `SELECT value AS kind,
                (SELECT count(*) FROM (SELECT 1 FROM facts WHERE kind = value
                                        LIMIT ${MOST_COUNTED + 1})) AS count
           FROM json_each(?) WHERE count > 0`,
        JSON.stringify(FACT_KINDS),
      );
      const ends = queries.one<{ oldest: string | null; newest: string | null }>(
        `SELECT (SELECT at FROM facts ORDER BY doc LIMIT 1) AS oldest,
                (SELECT at FROM facts ORDER BY doc DESC LIMIT 1) AS newest`,
      );
      return {
        kinds: Object.fromEntries(counts.map(({ kind, count }) => [kind, count])),
        countedTo: MOST_COUNTED,
        ...ends,
      };
    });
  }

  totals(query: TotalsQuery): Promise<FactTotal[]> {
    return this.#read((queries) => totalsOf(queries, query));
  }

  accountOf(whose: Pick<FactScope, 'profile' | 'environment'>): Promise<string | null> {
    return this.#read((queries) => accountOfProfile(queries, whose));
  }

  newestCharges(scope: FactScope): Promise<Fact[]> {
    return this.#read((queries) => newestChargesOf(queries, scope));
  }

  due(): Promise<number> {
    return this.#read(countDue);
  }

  isWhole(): Promise<boolean> {
    return this.#read(
      (queries) =>
        queries.one<{ isWhole: number }>('SELECT is_whole AS isWhole FROM facts_state').isWhole ===
        1,
    );
  }
}

type Row = Fact & { doc: number };

/** A condition of SQL, and the values that it names. */
interface Chosen {
  where: string;
  values: Readonly<Record<string, Value>>;
}

/** What a filter lets through. @param doc the column that a period is a range of */
function conditions(filter: CardFilter, doc = 'doc'): Chosen {
  const { kinds = [], since, until, scope, operator, outcome, amount, money, lastFour } = filter;
  const { profile, reference } = filter;
  const values: Record<string, Value> = {};
  const where = ['1'];
  const add = (clause: string, name: string, value: Value) => {
    where.push(clause);
    values[name] = value;
  };
  if (kinds.length > 0)
    add('kind IN (SELECT value FROM json_each(:kinds))', 'kinds', JSON.stringify(kinds));
  if (since !== undefined) add(`${doc} >= :since`, 'since', secondOf(since) * DOCS_A_SECOND);
  if (until !== undefined) add(`${doc} < :until`, 'until', secondOf(until) * DOCS_A_SECOND);
  if (profile !== undefined) add('profile = :called', 'called', profile);
  if (scope !== undefined) {
    where.push(factIsOurs(NAMED));
    Object.assign(values, namedValues(scope));
  }
  if (reference !== undefined) add('reference = :reference', 'reference', reference);
  if (operator !== undefined) add('operator = :operator', 'operator', operator);
  if (outcome !== undefined) {
    const outcomes = JSON.stringify([outcome].flat());
    add('outcome IN (SELECT value FROM json_each(:outcomes))', 'outcomes', outcomes);
  }
  if (amount !== undefined) add('abs(amount) = :amount', 'amount', Math.abs(amount));
  if (lastFour !== undefined) add('last_four = :lastFour', 'lastFour', lastFour);
  if (money !== undefined) {
    const { usual, others } = minorUnitsOf(money);
    add(OF_MONEY, 'others', JSON.stringify(others));
    values.usual = usual;
  }
  return { where: where.join(' AND '), values };
}

const OF_MONEY = `
  abs(amount) = coalesce((SELECT value FROM json_each(:others) WHERE key = currency), :usual)`;

/**
 * @param match what the full-text index is asked for: it gives the newest first, and is asked no
 *   further than needed; undefined for all facts
 */
function newest(
  queries: Queries,
  match: string | undefined,
  { limit, ...filter }: CardFilter & { limit: number },
): Row[] {
  if (match === undefined) {
    const { where, values } = conditions(filter);
    const sql = `SELECT ${FACT_COLUMNS} FROM facts WHERE ${where} ORDER BY doc DESC LIMIT :limit`;
    return queries.all<Row>(sql, { ...values, limit });
  }
  // The order of a CROSS JOIN is kept. A period is a range of what is matched.
  const { where, values } = conditions(filter, 'facts_text.rowid');
  const sql = `
    SELECT ${FACT_COLUMNS} FROM facts_text CROSS JOIN facts ON doc = facts_text.rowid
     WHERE facts_text MATCH :match AND ${where}
     ORDER BY facts_text.rowid DESC LIMIT :limit`;
  return queries.all<Row>(sql, { ...values, match, limit });
}

/** Facts that have one of these names. */
function called(
  queries: Queries,
  names: readonly string[],
  { limit, ...filter }: FactFilter & { limit: number },
): Row[] {
  const [name = '', ...others] = names;
  if (others.length === 0) {
    // In the order of the index, so that a name that many have is not read to its end.
    const { where, values } = conditions(filter, 'fact_keys.doc');
    const sql = `
      SELECT ${FACT_COLUMNS} FROM fact_keys CROSS JOIN facts ON facts.doc = fact_keys.doc
       WHERE key = :name AND ${where}
       ORDER BY fact_keys.doc DESC LIMIT :limit`;
    return queries.all<Row>(sql, { ...values, name, limit });
  }
  const { where, values } = conditions(filter);
  const sql = `
    SELECT ${FACT_COLUMNS} FROM facts
     WHERE doc IN (SELECT doc FROM fact_keys WHERE key IN (SELECT value FROM json_each(:names)))
       AND ${where}
     ORDER BY doc DESC LIMIT :limit`;
  return queries.all<Row>(sql, { ...values, names: JSON.stringify(names), limit });
}

/**
 * What is called exactly so: by a name, or by the last four of its card.
 * @param text folded
 */
function exactly(queries: Queries, text: string, search: FactSearch): Row[] {
  const named = called(queries, [text], search);
  if (named.length >= search.limit || !LAST_FOUR.test(text)) return named;
  const match = [line(text), ...marksIn(search)].join(' AND ');
  return calledOrPaid(named, newest(queries, match, { ...search, lastFour: text }), search.limit);
}

/** Customers whom the words fit. @param text folded */
function peopleCalled(queries: Queries, text: string, search: FactSearch): Row[] {
  const { kinds = [], limit } = search;
  if (kinds.length > 0) return [];
  const ofPeople = { ...search, kinds: ['customer'] as const };
  const people = newest(queries, matchOf(text, ofPeople), { ...ofPeople, limit });
  return peopleFirst(people, text, limit);
}

/** @param text folded @returns what the full-text index is asked for; undefined for nothing in particular */
function matchOf(text: string, filter: FactFilter): string | undefined {
  const words = text === '' ? [] : text.split(' ').map(phraseOf);
  return [...words, ...marksIn(filter)].join(' AND ') || undefined;
}

function phraseOf(word: string): string {
  if ([...word].length < TRIGRAM) return quoted(beginningOf(word));
  return quoted(linePartOf(word));
}

/** What each fact has that a filter lets through. */
function marksIn({ kinds = [], profile, outcome, amount, money }: FactFilter): string[] {
  const units = money === undefined ? undefined : minorUnitsOf(money);
  return [
    kinds.map((kind) => quoted(markOf('kind', kind))),
    profile === undefined ? [] : [quoted(markOf('profile', profile))],
    [outcome ?? []].flat().map((one) => quoted(markOf('outcome', one))),
    amount === undefined ? [] : [line(String(Math.abs(amount)))],
    units ? [...new Set([units.usual, ...Object.values(units.others)])].map(amountLine) : [],
  ].flatMap((any) => (any.length > 0 ? [`(${any.join(' OR ')})`] : []));
}

const amountLine = (amount: number) => line(String(amount));

/** A whole line of the text. */
function line(text: string): string {
  return quoted(`\n${text}\n`);
}

/** A phrase of FTS5, whatever is in it. */
function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}
