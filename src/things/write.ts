/** Writes rows of things, their keys and their full text. */

import {
  allRows,
  type Engine,
  engine,
  insertAll,
  runSql,
  type SqlValues,
  toStored,
  type Work,
} from '../store/sql.ts';
import { DOCS_A_SECOND, type IndexedThing, type LinkedThing, type SourceIds } from './thing.ts';
import { isRowOf, STORED_COLUMNS, searchable } from './thing-columns.ts';
import { keysOf, keysOfThing, secondOf, textOf } from './words.ts';

/** A row as it is in the table. */
export interface StoredRow {
  doc: number;
  thing: LinkedThing;
  /** JSON of `SourceIds`. */
  ids: string;
  /** JSON of the further texts of an `IndexedThing`, or null. */
  texts: string | null;
  cardExpiry: string | null;
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

/** The number of a row, and what finds it. */
interface IndexedRow {
  doc: number;
  keys: readonly string[];
  text: string;
}

/** A row that is written, with what it had in the same place so far. */
interface NewRow extends IndexedRow {
  columns: SqlValues;
  had: IndexedRow | undefined;
}

const COLUMNS = ['doc', ...STORED_COLUMNS];
const inPlace = (columns: readonly string[]) =>
  `ON CONFLICT (doc) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`)}`;
/** A server indexes the text as a column, and `gw doctor` compares its keys (docs/schema.sql). */
const IN_PLACE: Readonly<Record<Engine, string>> = {
  sqlite: inPlace(COLUMNS),
  postgres: inPlace([...COLUMNS, 'keys', 'text']),
};

/** Writes rows in place of earlier ones. A row keeps its number, unless its second has changed. */
export function* writeRows(changes: readonly RowChange[]): Work<void> {
  const store = yield* engine();
  const places = yield* placesIn(changes);
  const rows: NewRow[] = [];
  const gone: IndexedRow[] = [];
  for (const { before, now } of changes) {
    if (before && now && isSameRow(before, now)) continue;
    const had = before && indexedRow(before);
    const row = now && newRow(before, now, places);
    if (row && had?.doc === row.doc) row.had = had;
    else if (had) gone.push(had);
    if (row) rows.push(row);
  }
  yield* takeAway(gone, rows.sort(byDoc), store === 'sqlite');
  yield* insertAll(
    'things',
    rows.map(({ doc, columns, keys, text }) => ({
      doc,
      ...columns,
      ...(store === 'postgres' && { keys: JSON.stringify(keys), text }),
    })),
    IN_PLACE[store],
  );
  yield* index(rows, store);
}

/** Writes what finds the rows, and did not so far. */
function* index(rows: readonly NewRow[], store: Engine): Work<void> {
  const keys = rows.flatMap(({ doc, keys, had }) =>
    without(keys, had?.keys).map((key) => ({ key, doc })),
  );
  // Neighbours share pages.
  keys.sort((one, other) => (one.key < other.key ? -1 : 1));
  yield* insertAll('thing_keys', keys, 'ON CONFLICT (key, doc) DO NOTHING');
  if (store === 'postgres') return;
  const texts = rows.filter(({ text, had }) => text !== had?.text);
  yield* insertAll(
    'things_text',
    texts.map(({ doc, text }) => ({ rowid: doc, text })),
  );
}

/**
 * Takes away rows with what finds them, and of rows that stay in their place what finds them no longer.
 * @param rows in the order of their numbers
 */
function* takeAway(
  gone: readonly IndexedRow[],
  rows: readonly NewRow[],
  isInFile: boolean,
): Work<void> {
  const changed = rows.flatMap(({ text, had }) => (had && had.text !== text ? had : []));
  // The full-text index of a file writes what it has so far whenever a number is lower than the one before.
  if (isInFile) for (const one of [...gone, ...changed].sort(byDoc)) yield* removeText(one);
  const unused = [
    ...gone.flatMap(({ doc, keys }) => keys.map((key) => ({ key, doc }))),
    ...rows.flatMap(({ doc, keys, had }) =>
      without(had?.keys ?? [], keys).map((key) => ({ key, doc })),
    ),
  ];
  if (unused.length > 0) yield* removeKeys(unused, isInFile);
  const docs = gone.map(({ doc }) => String(doc));
  if (docs.length > 0) yield* runSql('DELETE FROM gw.things WHERE doc = ANY (:docs)', { docs });
}

function byDoc(one: { doc: number }, other: { doc: number }): number {
  return one.doc - other.doc;
}

function indexedRow({ doc, thing, texts, ids }: StoredRow): IndexedRow {
  const row = searchable(thing, texts);
  return { doc, keys: keysOf(row, JSON.parse(ids) as SourceIds), text: textOf(row) };
}

function newRow(before: StoredRow | undefined, now: MadeRow, places: Places): NewRow {
  const { thing, columns } = now;
  const doc = before && isOfSecond(before, thing) ? before.doc : places.take(secondOf(thing.at));
  return { doc, columns, keys: keysOfThing(thing), text: textOf(thing), had: undefined };
}

/** @returns whether the row has these values: what finds it is then the same too */
function isSameRow({ thing, ids, texts, cardExpiry }: StoredRow, { columns }: MadeRow): boolean {
  return isRowOf(thing, { sources: ids, texts, card_expiry: cardExpiry }, columns);
}

function isOfSecond({ doc }: StoredRow, { at }: IndexedThing): boolean {
  return Math.floor(doc / DOCS_A_SECOND) === secondOf(at);
}

function without(keys: readonly string[], others: readonly string[] = []): readonly string[] {
  if (others.length === 0) return keys;
  const there = new Set(others);
  return keys.filter((key) => !there.has(key));
}

/** A server, which is far away, is told of all at once. In a file, looking into a list takes longer than a statement of each. */
function* removeKeys(
  unused: readonly { key: string; doc: number }[],
  isInFile: boolean,
): Work<void> {
  if (!isInFile)
    return yield* runSql(
      `DELETE FROM gw.thing_keys AS known USING json_to_recordset(:unused) AS gone (key text, doc bigint)
        WHERE known.key = gone.key AND known.doc = gone.doc`,
      { unused: JSON.stringify(unused.map(({ key, doc }) => ({ key: toStored(key), doc }))) },
    );
  for (const { key, doc } of unused)
    yield* runSql('DELETE FROM gw.thing_keys WHERE key = :key AND doc = :doc', [key, doc]);
}

/** The full-text index of a file stores no text, so it must be given the text that it removes. */
function* removeText({ doc, text }: IndexedRow): Work<void> {
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
    const rows = yield* allRows<{ first: number; last: number | null }>(
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
