/** Writes rows of things, their keys and their full text. */

import { all, engine, insertAll, runSql, type SqlValues, type Work } from '../store/sql.ts';
import { DOCS_A_SECOND, type IndexedThing, type Thing } from './thing.ts';
import { isRowOf, STORED_COLUMNS } from './thing-columns.ts';
import { keysOf, linesOf, secondOf } from './words.ts';

/** A row as it is in the table. */
export interface StoredRow {
  doc: number;
  thing: Thing;
  /** JSON of `SourceIds`. */
  ids: string;
  cardExpiry: string | null;
  /** JSON. */
  keys: string;
  text: string;
}

/** A thing's row as it is in the table, and as it is to be; undefined where there is none. */
export interface RowChange {
  before: StoredRow | undefined;
  now: MadeRow | undefined;
}

interface MadeRow {
  thing: IndexedThing;
  /** From `columnsOf`. */
  columns: SqlValues;
}

/** A row that is written, with what is made from it. */
interface NewRow {
  doc: number;
  columns: SqlValues;
  keys: string[];
  /** Those that the row does not have yet. */
  newKeys: string[];
  text: string;
  isTextSame: boolean;
}

const COLUMNS = ['doc', ...STORED_COLUMNS, 'keys', 'text'];
const IN_PLACE = `
  ON CONFLICT (doc) DO UPDATE SET ${COLUMNS.map((name) => `${name} = excluded.${name}`)}`;

/** Writes rows in place of earlier ones. A row keeps its number, unless its second has changed. */
export function* writeRows(changes: readonly RowChange[]): Work<void> {
  const isInFile = (yield* engine()) === 'sqlite';
  const places = yield* placesIn(changes);
  const made = changes
    .map(({ before, now }) => ({ before, row: now && rowFrom(before, now, places) }))
    .filter(({ before, row }) => !(before && row && isSameRow(before, row)));
  const had = made.flatMap(({ before, row }) => (before ? [{ doc: before.doc, before, row }] : []));
  // The full-text index of a file writes what it has so far whenever a number is lower than the one before.
  for (const { before, row } of had.sort(byDoc)) yield* takeAway(before, row, isInFile);
  const gone = had.filter(({ doc, row }) => row?.doc !== doc).map(({ doc }) => String(doc));
  if (gone.length > 0) yield* runSql('DELETE FROM gw.things WHERE doc = ANY (:gone)', { gone });
  const rows = made.flatMap(({ row }) => row ?? []).sort(byDoc);
  yield* insertAll(
    'things',
    rows.map(({ doc, columns, keys, text }) => ({
      doc,
      ...columns,
      keys: JSON.stringify(keys),
      text,
    })),
    IN_PLACE,
  );
  const keys = rows.flatMap(({ doc, newKeys }) => newKeys.map((key) => ({ key, doc })));
  // Neighbours share pages.
  keys.sort((one, other) => (one.key < other.key ? -1 : 1));
  yield* insertAll('thing_keys', keys, 'ON CONFLICT (key, doc) DO NOTHING');
  if (!isInFile) return;
  const texts = rows.filter(({ isTextSame }) => !isTextSame);
  yield* insertAll(
    'things_text',
    texts.map(({ doc, text }) => ({ rowid: doc, text })),
  );
}

function byDoc(one: { doc: number }, other: { doc: number }): number {
  return one.doc - other.doc;
}

/** Takes away the keys and the text that are not in the new row: all of them, if it has another number. */
function* takeAway(before: StoredRow, now: NewRow | undefined, isInFile: boolean): Work<void> {
  const { doc } = before;
  if (isInFile && !now?.isTextSame) yield* removeText(before);
  const keys = JSON.parse(before.keys) as string[];
  yield* removeKeys(doc, now?.doc === doc ? without(keys, now.keys) : keys);
}

function rowFrom(
  before: StoredRow | undefined,
  { thing, columns }: MadeRow,
  places: Places,
): NewRow {
  const doc = before && isOfSecond(before, thing) ? before.doc : places.take(secondOf(thing.at));
  // Each line also has a line end before it, so that a search can match a whole line.
  const text = `\n${linesOf(thing).join('\n')}`;
  const isInPlace = doc === before?.doc;
  const keys = keysOf(thing);
  const had = isInPlace ? (JSON.parse(before.keys) as string[]) : [];
  const newKeys = without(keys, had);
  return { doc, columns, keys, newKeys, text, isTextSame: isInPlace && text === before.text };
}

function isSameRow({ doc, thing, ids, cardExpiry, keys }: StoredRow, row: NewRow): boolean {
  const { columns, isTextSame } = row;
  if (doc !== row.doc || !isTextSame || keys !== JSON.stringify(row.keys)) return false;
  return isRowOf(thing, { sources: ids, card_expiry: cardExpiry }, columns);
}

function isOfSecond({ doc }: StoredRow, { at }: IndexedThing): boolean {
  return Math.floor(doc / DOCS_A_SECOND) === secondOf(at);
}

function without(keys: readonly string[], others: readonly string[]): string[] {
  const there = new Set(others);
  return keys.filter((key) => !there.has(key));
}

function* removeKeys(doc: number, gone: readonly string[]): Work<void> {
  if (gone.length === 0) return;
  yield* runSql('DELETE FROM gw.thing_keys WHERE doc = :doc AND key = ANY (:gone)', {
    doc,
    gone,
  });
}

/** The full-text index of a file stores no text, so it must be given the text that it removes. */
function* removeText({ doc, text }: StoredRow): Work<void> {
  yield* runSql(
    "INSERT INTO things_text (things_text, rowid, text) VALUES ('delete', :doc, :text)",
    { doc, text },
  );
}

/** Numbers of rows that are free. */
class Places {
  /** The last number of each second that is taken. */
  readonly #last: Map<number, number>;

  constructor(last: Map<number, number>) {
    this.#last = last;
  }

  /** @returns a number of the second that no row has; of the next second if this one is full */
  take(second: number): number {
    const first = second * DOCS_A_SECOND;
    const next = (this.#last.get(second) ?? first - 1) + 1;
    if (next >= first + DOCS_A_SECOND) return this.take(second + 1);
    this.#last.set(second, next);
    return next;
  }
}

/** Asks for all seconds at once: a server is far away. */
function* placesIn(changes: readonly RowChange[]): Work<Places> {
  let seconds = new Set<number>();
  for (const { before, now } of changes)
    if (now && !(before && isOfSecond(before, now.thing))) seconds.add(secondOf(now.thing.at));
  const taken = new Map<number, number>();
  while (seconds.size > 0) {
    const rows = yield* all<{ first: number; last: number | null }>(
      `SELECT first, (SELECT max(doc) FROM gw.things WHERE doc >= first AND doc < first + ${DOCS_A_SECOND}) AS last
         FROM (SELECT value::bigint AS first FROM json_array_elements_text(:firsts::json) AS seconds (value)) AS asked`,
      { firsts: JSON.stringify([...seconds].map((second) => second * DOCS_A_SECOND)) },
    );
    seconds = new Set();
    for (const { first, last } of rows) {
      if (last === null) continue;
      const second = first / DOCS_A_SECOND;
      taken.set(second, last);
      // If a second is full, things continue in the next one.
      if (last - first + changes.length >= DOCS_A_SECOND) seconds.add(second + 1);
    }
  }
  return new Places(taken);
}

/** Really removes rows from the full-text index of a file, which only marks them as deleted. */
export function* purgeThings(): Work<void> {
  if ((yield* engine()) === 'sqlite')
    yield* runSql("INSERT INTO things_text (things_text) VALUES ('optimize')");
}

/** Empties the table before it is written again. On a server, only an owner may. */
export function* clearThings(): Work<void> {
  if ((yield* engine()) === 'postgres')
    return yield* runSql('TRUNCATE gw.things, gw.thing_keys, gw.sources_due');
  yield* runSql("INSERT INTO things_text (things_text) VALUES ('delete-all')");
  yield* runSql('DELETE FROM event_owners');
  yield* runSql('DELETE FROM gw.thing_keys');
  yield* runSql('DELETE FROM gw.things');
  yield* runSql('DELETE FROM gw.sources_due');
}

/** On a server, two machines that learn at once would each write a row without what the other learnt. */
export function* lockThings(): Work<void> {
  if ((yield* engine()) === 'postgres')
    yield* runSql('LOCK TABLE gw.things IN SHARE ROW EXCLUSIVE MODE');
}
