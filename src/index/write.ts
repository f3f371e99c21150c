/** Writes the index. The caller runs each function in the transaction of what it indexes. */

import {
  all,
  change,
  engine,
  insert,
  insertAll,
  one,
  runSql,
  type SqlValues,
  type Work,
} from '../store/sql.ts';
import type { IndexedDocument } from './document.ts';
import { DOCS_A_SECOND } from './document.ts';
import { columnsOf, STORED_COLUMNS } from './document-columns.ts';
import { keysOf, linesOf, secondOf } from './words.ts';

/** A document and its source. */
export interface OriginatedDocument {
  origin: string;
  document: IndexedDocument;
}

/** The part of a document from which the other tables are made. */
interface StoredDocument {
  doc: number;
  origin: string;
  keys: string;
  text: string;
}

const COLUMNS = ['doc', ...STORED_COLUMNS, 'keys', 'text'];
const IN_PLACE = `
  ON CONFLICT (origin) DO UPDATE SET ${COLUMNS.map((name) => `${name} = excluded.${name}`)}`;

/** Writes documents in place of earlier ones of the same origin; of several with one origin, only the last. */
export function* putDocuments(documents: readonly OriginatedDocument[]): Work<void> {
  if (documents.length === 0) return;
  const given = new Map(documents.map((one) => [one.origin, one]));
  const known = yield* findKnown([...given.keys()]);
  const rows = yield* placed([...given.values()], known);
  const changed = rows.filter((row) => !isSame(known.get(row.origin), row));
  const stale = changed.flatMap(({ origin }) => known.get(origin) ?? []);
  if (stale.length > 0) yield* dropKeys('doc = ANY (:docs)', { docs: docsOf(stale) });
  yield* removeTexts(stale);
  yield* insertAll('documents', rows, IN_PLACE);
  yield* addKeys(changed);
  yield* addTexts(changed);
}

/** All writers lock the rows in one order, so two of them never wait for each other for ever. */
function* findKnown(origins: readonly string[]): Work<Map<string, StoredDocument>> {
  const rows = yield* all<StoredDocument>(
    `SELECT doc, origin, keys, text FROM gw.documents WHERE origin = ANY (:origins)
      ORDER BY origin FOR UPDATE`,
    { origins },
  );
  return new Map(rows.map((row) => [row.origin, row]));
}

function isSame(known: StoredDocument | undefined, { doc, keys, text }: StoredDocument): boolean {
  return known?.doc === doc && known.keys === keys && known.text === text;
}

/** @returns the rows of documents with their numbers: the existing number, unless the second has changed */
function* placed(
  documents: readonly OriginatedDocument[],
  known: ReadonlyMap<string, StoredDocument>,
) {
  const kept = documents.map(({ origin, document }) => {
    const doc = known.get(origin)?.doc;
    const isOfSecond = Math.floor((doc ?? -1) / DOCS_A_SECOND) === secondOf(document.at);
    return isOfSecond ? doc : undefined;
  });
  const seconds = documents.flatMap(({ document }, i) =>
    kept[i] === undefined ? secondOf(document.at) : [],
  );
  const free = yield* freeDocs(seconds);
  return documents.map((one, i) => rowOf(kept[i] ?? (free.shift() as number), one));
}

/** Removes a document from the index. @returns whether there was one */
export function* dropDocument(origin: string): Work<boolean> {
  return (yield* dropDocuments('origin = :origin', { origin })) > 0;
}

/**
 * Removes all documents that match a condition.
 * @param where an SQL clause on `documents`
 * @returns the number of removed documents
 */
export function* dropDocuments(where: string, values: SqlValues): Work<number> {
  if (yield* isInFile())
    yield* removeTexts(
      yield* all<StoredDocument>(`SELECT doc, text FROM gw.documents WHERE ${where}`, values),
    );
  yield* dropKeys(where, values);
  return yield* change(`DELETE FROM gw.documents WHERE ${where}`, values);
}

/** Really removes rows from the full-text index of a file, which only marks them as deleted. */
export function* purgeDocuments(): Work<void> {
  if (yield* isInFile())
    yield* runSql("INSERT INTO documents_text (documents_text) VALUES ('optimize')");
}

/**
 * Gives documents another outcome.
 * @param from the first origin of the range, and the first one after it
 */
export function* changeOutcome(
  [from, below]: readonly [from: string, below: string],
  outcome: string,
): Work<void> {
  yield* runSql(
    'UPDATE gw.documents SET outcome = :outcome WHERE origin >= :from AND origin < :below',
    {
      outcome,
      from,
      below,
    },
  );
}

/** Empties the index before it is written again. */
export function* clearDocuments(): Work<void> {
  if (yield* isInFile()) {
    yield* runSql("INSERT INTO documents_text (documents_text) VALUES ('delete-all')");
    yield* runSql('UPDATE last_indexed_event SET id = 0');
  }
  yield* runSql('DELETE FROM gw.document_keys');
  yield* runSql('DELETE FROM gw.documents');
  yield* runSql('DELETE FROM gw.documents_due');
}

/** Only a file has its full-text index in a table of its own. */
function* isInFile(): Work<boolean> {
  return (yield* engine()) === 'sqlite';
}

/** @returns a query for the keys of the documents that match a condition */
const keysWhere = (where: string) => `
  SELECT named.value, known.doc
    FROM (SELECT doc, keys FROM gw.documents WHERE ${where}) AS known
   CROSS JOIN LATERAL json_array_elements_text(known.keys::json) AS named (value)`;

function* addKeys(documents: readonly Pick<StoredDocument, 'doc' | 'keys'>[]): Work<void> {
  const rows = documents.flatMap(({ doc, keys }) =>
    (JSON.parse(keys) as string[]).map((key) => ({ key, doc })),
  );
  yield* insertAll('document_keys', rows, 'ON CONFLICT (key, doc) DO NOTHING');
}

function* dropKeys(where: string, values: SqlValues): Work<void> {
  yield* runSql(`DELETE FROM gw.document_keys WHERE (key, doc) IN (${keysWhere(where)})`, values);
}

function docsOf(documents: readonly Pick<StoredDocument, 'doc'>[]): string[] {
  return documents.map(({ doc }) => String(doc));
}

/** The full-text index of a file stores no text, so it must be given the text that it removes. */
function* removeTexts(documents: readonly Pick<StoredDocument, 'doc' | 'text'>[]): Work<void> {
  if (!(yield* isInFile())) return;
  const sql =
    "INSERT INTO documents_text (documents_text, rowid, text) VALUES ('delete', :doc, :text)";
  for (const { doc, text } of documents) yield* runSql(sql, { doc, text });
}

function* addTexts(documents: readonly Pick<StoredDocument, 'doc' | 'text'>[]): Work<void> {
  if (!(yield* isInFile())) return;
  for (const { doc, text } of documents) yield* insert('documents_text', { rowid: doc, text });
}

/** @param seconds from `secondOf` @returns a number for each that no document has */
function* freeDocs(seconds: readonly number[]): Work<number[]> {
  return yield* (yield* isInFile()) ? nextDocs(seconds) : numberedDocs(seconds);
}

function* nextDocs(seconds: readonly number[]): Work<number[]> {
  const last = new Map<number, number>();
  const docs: number[] = [];
  for (const second of seconds) docs.push(yield* nextDoc(second, last));
  return docs;
}

/** @param last the last number given out for each second */
function* nextDoc(second: number, last: Map<number, number>): Work<number> {
  const first = second * DOCS_A_SECOND;
  const before = last.get(second) ?? (yield* lastDoc(first)) ?? first - 1;
  if (before + 1 === first + DOCS_A_SECOND) return yield* nextDoc(second + 1, last);
  last.set(second, before + 1);
  return before + 1;
}

function* lastDoc(first: number): Work<number | null> {
  const { last } = yield* one<{ last: number | null }>(
    'SELECT max(doc) AS last FROM gw.documents WHERE doc >= :first AND doc < :below',
    { first, below: first + DOCS_A_SECOND },
  );
  return last;
}

/** Uses a sequence, so that two machines that write at once never wait for each other. */
function* numberedDocs(seconds: readonly number[]): Work<number[]> {
  if (seconds.length === 0) return [];
  const rows = yield* all<{ doc: number; isTaken: boolean }>(
    `SELECT doc, EXISTS (SELECT 1 FROM gw.documents WHERE documents.doc = given.doc) AS "isTaken"
       FROM (SELECT value::bigint * ${DOCS_A_SECOND} + nextval('gw.document_numbers') % ${DOCS_A_SECOND} AS doc
               FROM json_array_elements_text(:seconds::json) AS second (value)) AS given`,
    { seconds: JSON.stringify(seconds) },
  );
  const docs = rows.map(({ doc }) => doc);
  const taken = [...rows.keys()].filter((i) => rows[i]?.isTaken);
  const others = yield* numberedDocs(taken.map((i) => seconds[i] ?? 0));
  for (const [n, i] of taken.entries()) docs[i] = others[n] ?? 0;
  return docs;
}

/** @returns the row of a document with its number */
function rowOf(doc: number, { origin, document }: OriginatedDocument): SqlValues & StoredDocument {
  // Each line also has a line end before it, so that a search can match a whole line.
  const text = `\n${linesOf(document).join('\n')}`;
  return { doc, origin, ...columnsOf(document), keys: JSON.stringify(keysOf(document)), text };
}
