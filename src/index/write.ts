/** Writes rows of things, their keys and their full text. */

import { engine, insert, insertAll, one, runSql, type Work } from '../store/sql.ts';
import { DOCS_A_SECOND, type IndexedDocument } from './document.ts';
import { columnsOf, STORED_COLUMNS } from './document-columns.ts';
import { keysOf, linesOf, secondOf } from './words.ts';

/** The place of a row, and the part from which the other tables are made. */
export interface StoredRow {
  doc: number;
  /** JSON. */
  keys: string;
  text: string;
}

const COLUMNS = ['doc', ...STORED_COLUMNS, 'keys', 'text'];
const IN_PLACE = `
  ON CONFLICT (doc) DO UPDATE SET ${COLUMNS.map((name) => `${name} = excluded.${name}`)}`;

/**
 * Writes the row of a thing in place of an earlier one. It keeps its number, unless its second has changed.
 * @param before the thing's row as it is now
 */
export function* putRow(before: StoredRow | undefined, document: IndexedDocument): Work<void> {
  const second = secondOf(document.at);
  if (before && Math.floor(before.doc / DOCS_A_SECOND) !== second) {
    yield* dropRow(before);
    return yield* putRow(undefined, document);
  }
  const doc = before?.doc ?? (yield* freeDoc(second));
  const keys = keysOf(document);
  // Each line also has a line end before it, so that a search can match a whole line.
  const text = `\n${linesOf(document).join('\n')}`;
  const isTextSame = before?.text === text;
  if (before && !isTextSame) yield* removeText(before);
  yield* insert(
    'documents',
    { doc, ...columnsOf(document), keys: JSON.stringify(keys), text },
    IN_PLACE,
  );
  yield* changeKeys(doc, before ? (JSON.parse(before.keys) as string[]) : [], keys);
  if (!isTextSame && (yield* isInFile())) yield* insert('documents_text', { rowid: doc, text });
}

export function* dropRow(row: StoredRow): Work<void> {
  yield* removeText(row);
  yield* changeKeys(row.doc, JSON.parse(row.keys) as string[], []);
  yield* runSql('DELETE FROM gw.documents WHERE doc = :doc', { doc: row.doc });
}

function* changeKeys(doc: number, before: readonly string[], now: readonly string[]): Work<void> {
  const gone = before.filter((key) => !now.includes(key));
  if (gone.length > 0)
    yield* runSql('DELETE FROM gw.document_keys WHERE doc = :doc AND key = ANY (:gone)', {
      doc,
      gone,
    });
  const rows = now.filter((key) => !before.includes(key)).map((key) => ({ key, doc }));
  yield* insertAll('document_keys', rows, 'ON CONFLICT (key, doc) DO NOTHING');
}

/** The full-text index of a file stores no text, so it must be given the text that it removes. */
function* removeText({ doc, text }: StoredRow): Work<void> {
  if (!(yield* isInFile())) return;
  yield* runSql(
    "INSERT INTO documents_text (documents_text, rowid, text) VALUES ('delete', :doc, :text)",
    { doc, text },
  );
}

/** Really removes rows from the full-text index of a file, which only marks them as deleted. */
export function* purgeDocuments(): Work<void> {
  if (yield* isInFile())
    yield* runSql("INSERT INTO documents_text (documents_text) VALUES ('optimize')");
}

/** Empties the table before it is written again. */
export function* clearDocuments(): Work<void> {
  if (yield* isInFile()) {
    yield* runSql("INSERT INTO documents_text (documents_text) VALUES ('delete-all')");
    yield* runSql('UPDATE last_indexed_event SET id = 0');
  }
  yield* runSql('DELETE FROM gw.document_keys');
  yield* runSql('DELETE FROM gw.documents');
  yield* runSql('DELETE FROM gw.documents_due');
}

/** On a server, two machines that learn at once would each write a row without what the other learnt. */
export function* lockDocuments(): Work<void> {
  if (!(yield* isInFile())) yield* runSql('LOCK TABLE gw.documents IN SHARE ROW EXCLUSIVE MODE');
}

/** Only a file has its full-text index in a table of its own. */
function* isInFile(): Work<boolean> {
  return (yield* engine()) === 'sqlite';
}

/** @param second from `secondOf` @returns a number that no row has; of the next second if this one is full */
function* freeDoc(second: number): Work<number> {
  const first = second * DOCS_A_SECOND;
  const { last } = yield* one<{ last: number | null }>(
    'SELECT max(doc) AS last FROM gw.documents WHERE doc >= :first AND doc < :below',
    { first, below: first + DOCS_A_SECOND },
  );
  const next = (last ?? first - 1) + 1;
  return next === first + DOCS_A_SECOND ? yield* freeDoc(second + 1) : next;
}
