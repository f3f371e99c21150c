/** Writing the index. Each of these is for the transaction of what is indexed. */

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

/** A document, and what it is of. */
export interface OriginatedDocument {
  origin: string;
  document: IndexedDocument;
}

/** What of a document the other tables are made of. */
interface StoredDocument {
  doc: number;
  origin: string;
  keys: string;
  text: string;
}

const COLUMNS = ['doc', ...STORED_COLUMNS, 'keys', 'text'];
const IN_PLACE = `
  ON CONFLICT (origin) DO UPDATE SET ${COLUMNS.map((name) => `${name} = excluded.${name}`)}`;

/** Writes documents, each in place of an earlier one of the same origin; of several of one origin the last. */
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

/** In one order by all who write the same ones, so that of two neither waits for the other for ever. */
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

/** @returns the rows of documents, each with its number: the one that it has, unless it is of another second */
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

/** Takes a document out of the index. @returns whether there was one */
export function* dropDocument(origin: string): Work<boolean> {
  return (yield* dropDocuments('origin = :origin', { origin })) > 0;
}

/**
 * Takes out all documents that a condition names.
 * @param where a clause of SQL on `documents`
 * @returns how many there were
 */
export function* dropDocuments(where: string, values: SqlValues): Work<number> {
  if (yield* isInFile())
    yield* removeTexts(
      yield* all<StoredDocument>(`SELECT doc, text FROM gw.documents WHERE ${where}`, values),
    );
  yield* dropKeys(where, values);
  return yield* change(`DELETE FROM gw.documents WHERE ${where}`, values);
}

/** Takes out of the full-text index of a file what it only noted as gone. */
export function* purgeDocuments(): Work<void> {
  if (yield* isInFile())
    yield* runSql("INSERT INTO documents_text (documents_text) VALUES ('optimize')");
}

/**
 * Gives documents another outcome.
 * @param from origins from this one on, up to and without the other
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

/** Empties the index, before all of it is written again. */
export function* clearDocuments(): Work<void> {
  if (yield* isInFile())
    yield* runSql("INSERT INTO documents_text (documents_text) VALUES ('delete-all')");
  yield* runSql('DELETE FROM gw.document_keys');
  yield* runSql('DELETE FROM gw.documents');
  yield* runSql('DELETE FROM gw.documents_due');
}

/** Only a file has a full-text index that is a table of its own. */
function* isInFile(): Work<boolean> {
  return (yield* engine()) === 'sqlite';
}

/** @returns a query for the keys of the documents that a condition names */
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

/** The full-text index of a file has no text of its own, and is told what it is to forget. */
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

/** @param seconds as `secondOf` @returns a number for each that no document has */
function* freeDocs(seconds: readonly number[]): Work<number[]> {
  return yield* (yield* isInFile()) ? nextDocs(seconds) : numberedDocs(seconds);
}

function* nextDocs(seconds: readonly number[]): Work<number[]> {
  const last = new Map<number, number>();
  const docs: number[] = [];
  for (const second of seconds) docs.push(yield* nextDoc(second, last));
  return docs;
}

/** @param last numbers that were given of each second */
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

/** By a sequence, so that two machines that write at once never wait for each other's. */
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
  // Each line has an end before it too, by which a whole one is looked for.
  const text = `\n${linesOf(document).join('\n')}`;
  return { doc, origin, ...columnsOf(document), keys: JSON.stringify(keysOf(document)), text };
}
