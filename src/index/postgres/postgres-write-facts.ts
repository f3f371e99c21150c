/**
 * Writing the index on a server. Each of these is one statement; whoever indexes something runs it in
 * the transaction of that.
 *
 * Facts of one second are told apart by the number of a sequence: two machines that write at once never
 * wait for each other's.
 */
import type { RunStatement, SqlValue } from '../../store/postgres/server.ts';
import { columnsOf } from '../columns-of-fact.ts';
import type { IndexedFact } from '../document.ts';
import { keysOf, linesOf, peopleOf, secondOf } from '../words.ts';
import { endOf, SIGN_LENGTH, signsOf } from './signs.ts';

/** Numbers of a second, as bits: `doc` is the second, and behind it these. */
export const NUMBER_BITS = 30;
const NUMBERS = 2 ** NUMBER_BITS;

/** A fact, and what it is of. */
export interface OriginatedFact {
  origin: string;
  fact: IndexedFact;
}

const COLUMNS = {
  ...{ kind: 'text', id: 'text', at: 'text', seen_at: 'text', account: 'text', profile: 'text' },
  ...{ environment: 'text', host: 'text', outcome: 'text', amount: 'bigint', currency: 'text' },
  ...{ reference: 'text', who: 'text', email: 'text', last_four: 'text', message: 'text' },
  ...{ label: 'text', purchase: 'text', customer: 'text', subscription: 'text', plan: 'text' },
  operator: 'text',
} as const satisfies Record<keyof ReturnType<typeof columnsOf>, string>;

const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
/** What an array of each is given as; two more have the keys. */
const TYPES = { n: 'integer', second: 'bigint', origin: 'text', ...COLUMNS, text: 'text' } as const;
const GIVEN = Object.keys(TYPES) as (keyof typeof TYPES)[];
const KEYS_AT = GIVEN.length + 1;

/**
 * Numbers are taken in the order in which facts are given, and rows are written in one order by all, so
 * that of two who write the same ones neither waits for the other for ever.
 */
const PUT = `
  WITH given AS (
    SELECT * FROM unnest(${GIVEN.map((name, i) => `$${i + 1}::${TYPES[name]}[]`)})
      AS given (${GIVEN})
  ), named AS (
    SELECT n, array_agg(key) AS keys
      FROM unnest($${KEYS_AT}::integer[], $${KEYS_AT + 1}::text[]) AS named (n, key) GROUP BY n
  ), numbered AS (
    SELECT ordered.*, second * ${NUMBERS} + nextval('gw.fact_numbers') % ${NUMBERS} AS doc
      FROM (SELECT * FROM given ORDER BY n) AS ordered
  ), put AS (
    INSERT INTO gw.facts AS known (doc, origin, ${NAMES}, text, keys)
    SELECT doc, origin, ${NAMES}, text, coalesce(keys, '{}')
      FROM numbered LEFT JOIN named ON named.n = numbered.n
     ORDER BY origin
    ON CONFLICT (origin) DO UPDATE SET
      doc = CASE WHEN known.doc >> ${NUMBER_BITS} = excluded.doc >> ${NUMBER_BITS}
                 THEN known.doc ELSE excluded.doc END,
      ${[...NAMES, 'text', 'keys'].map((name) => `${name} = excluded.${name}`)}
    RETURNING doc, keys
  )
  INSERT INTO gw.fact_keys (key, doc) SELECT unnest(keys), doc FROM put ON CONFLICT DO NOTHING`;

/**
 * Writes facts, each in place of an earlier one of the same origin; of several of one origin the last.
 * @throws as `run`
 */
export async function putFacts(run: RunStatement, facts: readonly OriginatedFact[]): Promise<void> {
  const all = latest(facts);
  if (all.length === 0) return;
  const rows = all.map(({ origin, fact }, n) => ({ n, ...rowOf(origin, fact) }));
  const keys = rows.flatMap((row) => row.keys.map((key) => ({ n: row.n, key })));
  const given = GIVEN.map((name) => rows.map((row) => row[name]));
  await run(PUT, [...given, keys.map(({ n }) => n), keys.map(({ key }) => key)]);
}

/** @returns what is written of a fact, beside its number */
export function rowOf(origin: string, fact: IndexedFact) {
  return {
    second: secondOf(fact.at),
    origin,
    ...columnsOf(fact),
    text: textOf(fact),
    keys: keysOf(fact).map(plain),
  };
}

/** Each origin once, where it would stand if they were written one by one. */
function latest(facts: readonly OriginatedFact[]): OriginatedFact[] {
  const all = new Map<string, OriginatedFact>();
  for (const one of facts) {
    const known = all.get(one.origin);
    if (known && secondOf(known.fact.at) !== secondOf(one.fact.at)) all.delete(one.origin);
    all.set(one.origin, one);
  }
  return [...all.values()];
}

/** The space before it is no part of any word, and keeps it from looking like an encoded text. */
function textOf(fact: IndexedFact): string {
  const signs = signsOf(fact, peopleOf(fact), secondOf(fact.at));
  return ` ${plain(linesOf(fact).join('\n'))}\n${signs}`;
}

/** @returns a text that is stored as it is: half a surrogate pair has no UTF-8 form */
export function plain(folded: string): string {
  return folded.replace(/\p{Surrogate}/gu, '\ufffd');
}

/**
 * Gives facts another outcome.
 * @param origins from the first one on, up to and without the other
 */
export async function changeOutcomes(
  run: RunStatement,
  [from, below]: readonly [from: string, below: string],
  outcome: string,
): Promise<void> {
  await run(
    `UPDATE gw.facts
        SET outcome = $3, text = left(text, length(text) - ${SIGN_LENGTH + 1}) || $4
      WHERE origin >= $1 AND origin < $2`,
    [from, below, outcome, endOf(outcome)],
  );
}

/**
 * Takes out all facts that a condition names, with their keys; the owner of the ledger alone may.
 * @param where a clause of SQL on `gw.facts`, its values from `$1` on
 * @returns how many there were
 */
export async function dropFacts(
  run: RunStatement,
  where: string,
  values: readonly SqlValue[],
): Promise<number> {
  const [gone] = await run<{ count: number }>(
    `WITH gone AS (
       DELETE FROM gw.facts WHERE ${where} RETURNING doc, keys
     ), unnamed AS (
       DELETE FROM gw.fact_keys AS known
        USING (SELECT unnest(keys) AS key, doc FROM gone) AS stale
        WHERE known.key = stale.key AND known.doc = stale.doc
     )
     SELECT count(*) AS count FROM gone`,
    values,
  );
  return gone?.count ?? 0;
}

/** Rows of one statement of `purgeKeys`: well within the time that one may take. */
const KEYS_AT_ONCE = 50_000;

/** Takes out the keys that no fact has any more; the owner of the ledger alone may. */
export async function purgeKeys(run: RunStatement): Promise<void> {
  for (let after = ''; ; ) {
    const [page] = await run<{ last: string | null }>(
      `SELECT max(key) AS last
         FROM (SELECT key FROM gw.fact_keys WHERE key > $1 ORDER BY key LIMIT ${KEYS_AT_ONCE}) AS page`,
      [after],
    );
    const last = page?.last ?? null;
    if (last === null) return;
    await run(
      `DELETE FROM gw.fact_keys
        WHERE key > $1 AND key <= $2
          AND NOT EXISTS (SELECT 1 FROM gw.facts
                           WHERE facts.doc = fact_keys.doc AND fact_keys.key = ANY (facts.keys))`,
      [after, last],
    );
    after = last;
  }
}

/** Empties the index, before all of it is written again; the owner of the ledger alone may. */
export async function clearFacts(run: RunStatement): Promise<void> {
  await run('TRUNCATE gw.facts, gw.fact_keys');
}
