/** Writing the index. Each of these is for the transaction of what is indexed. */
import type { Queries } from '../../store/sqlite/queries.ts';
import { columnsOf } from '../columns-of-fact.ts';
import { DOCS_A_SECOND, type Fact, type IndexedFact } from '../document.ts';
import { marksOf, remarked } from '../search-terms.ts';
import { keysOf, linesOf, secondOf } from '../words.ts';

interface Known {
  doc: number;
  keys: string;
  text: string;
}

/**
 * Writes a fact, in place of an earlier one of the same origin.
 * @param origin what it is of
 */
export function putFact(queries: Queries, origin: string, fact: IndexedFact): void {
  const row = rowOf(origin, fact);
  const known = findKnown(queries, origin);
  const second = secondOf(fact.at);
  if (known && isOfSecond(known.doc, second) && isSameText(known, row)) {
    queries.update('facts', row, { origin });
    return;
  }
  if (known) remove(queries, known);
  const doc = known && isOfSecond(known.doc, second) ? known.doc : freeDoc(queries, second);
  add(queries, doc, row);
  queries.insert('facts_text', { rowid: doc, text: row.text });
}

const isOfSecond = (doc: number, second: number) => Math.floor(doc / DOCS_A_SECOND) === second;

/**
 * Writes a fact that is not there yet into an index that was cleared. It is found by its words once
 * the index is completed: all of them at once take a part of the time.
 */
export function addFact(queries: Queries, origin: string, fact: IndexedFact): void {
  add(queries, freeDoc(queries, secondOf(fact.at)), rowOf(origin, fact));
}

function add(queries: Queries, doc: number, row: ReturnType<typeof rowOf>): void {
  queries.insert('facts', { doc, ...row });
  for (const key of JSON.parse(row.keys) as string[]) queries.insert('fact_keys', { key, doc });
}

/** Takes a fact out of the index. @returns whether there was one */
export function dropFact(queries: Queries, origin: string): boolean {
  const known = findKnown(queries, origin);
  if (known) remove(queries, known);
  return known !== undefined;
}

/**
 * Takes out all facts that a condition names.
 * @param where a clause of SQL on `facts`
 * @returns how many there were
 */
export function dropFacts(
  queries: Queries,
  where: string,
  ...values: readonly (string | number | null)[]
): number {
  const known = queries.all<Known>(`SELECT doc, keys, text FROM facts WHERE ${where}`, ...values);
  for (const one of known) remove(queries, one);
  return known.length;
}

/** Takes out of the full-text index what it only noted as gone. */
export function purgeFacts(queries: Queries): void {
  queries.run("INSERT INTO facts_text (facts_text) VALUES ('optimize')");
}

/**
 * Gives facts another outcome.
 * @param from origins from this one on, up to and without the other
 */
export function changeOutcome(
  queries: Queries,
  [from, below]: readonly [from: string, below: string],
  outcome: string,
): void {
  const known = queries.all<Pick<Fact, 'kind' | 'profile'> & { doc: number; text: string }>(
    'SELECT doc, text, kind, profile FROM facts WHERE origin >= ? AND origin < ?',
    from,
    below,
  );
  for (const { doc, text: before, kind, profile } of known) {
    const text = remarked(before, { kind, outcome, profile });
    removeText(queries, doc, before);
    queries.insert('facts_text', { rowid: doc, text });
    queries.update('facts', { outcome, text }, { doc });
  }
}

/** Empties the index, before all of it is written again. */
export function clearFacts(queries: Queries): void {
  queries.run("INSERT INTO facts_text (facts_text) VALUES ('delete-all')");
  queries.run('DELETE FROM fact_keys');
  queries.run('DELETE FROM facts');
  queries.run('DELETE FROM facts_due');
}

/** Says that the index has all that there is, and makes it find what was added. */
export function completeFacts(queries: Queries): void {
  queries.run("INSERT INTO facts_text (facts_text) VALUES ('rebuild')");
  queries.run('UPDATE facts_state SET is_whole = 1');
}

function findKnown(queries: Queries, origin: string): Known | undefined {
  return queries.get<Known>('SELECT doc, keys, text FROM facts WHERE origin = ?', origin);
}

function isSameText(known: Known, row: Omit<Known, 'doc'>): boolean {
  return known.keys === row.keys && known.text === row.text;
}

function freeDoc(queries: Queries, second: number): number {
  const first = second * DOCS_A_SECOND;
  const { last } = queries.one<{ last: number | null }>(
    'SELECT max(doc) AS last FROM facts WHERE doc >= ? AND doc < ?',
    first,
    first + DOCS_A_SECOND,
  );
  if (last === null) return first;
  return last + 1 < first + DOCS_A_SECOND ? last + 1 : freeDoc(queries, second + 1);
}

function remove(queries: Queries, { doc, keys, text }: Known): void {
  removeText(queries, doc, text);
  for (const key of JSON.parse(keys) as string[])
    queries.run('DELETE FROM fact_keys WHERE key = ? AND doc = ?', key, doc);
  queries.run('DELETE FROM facts WHERE doc = ?', doc);
}

/** The full-text index has no text of its own, and is told what it is to forget. */
function removeText(queries: Queries, doc: number, text: string): void {
  const sql = "INSERT INTO facts_text (facts_text, rowid, text) VALUES ('delete', ?, ?)";
  queries.run(sql, doc, text);
}

function rowOf(origin: string, fact: IndexedFact) {
  return {
    origin,
    ...columnsOf(fact),
    keys: JSON.stringify(keysOf(fact)),
    // Each line has an end before it too, by which a whole one is looked for.
    text: `\n${linesOf(fact).join('\n')}${marksOf(fact)}`,
  };
}
