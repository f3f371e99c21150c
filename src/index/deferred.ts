/**
 * Documents that must be written again. Writing a document takes several times as long as writing its source. So a
 * change or deletion of an entry or a record only adds a row here, in the same transaction. An event is due if
 * its number is above that of the last one that is indexed (`last_indexed_event`); what changes an event later changes
 * its documents at once. A search first indexes what is due.
 *
 * The stores of the ledger write these rows as well, in the SQL of their engine.
 */
import type { RecordKind } from '../contract/record-id.ts';
import { all, engine, insert, one, runSql, type Work } from '../store/sql.ts';

export interface DueDocument {
  kind: 'request' | RecordKind;
  /** The account of a record. */
  account: string | null;
  id: string;
}

/** Notes a document whose source was changed or deleted. */
export function deferDocument({ kind, account, id }: DueDocument): Work<void> {
  return insert('documents_due', { kind, account, id });
}

/** Notes every document, for an index that is written again. */
export function* deferAll(): Work<void> {
  yield* runSql(`INSERT INTO gw.documents_due (kind, account, id)
              SELECT kind, account, id FROM gw.records`);
  // Requests come last, because the records tell which account they belong to.
  yield* runSql(
    "INSERT INTO gw.documents_due (kind, id) SELECT 'request', id FROM gw.money_requests",
  );
}

/**
 * @returns the oldest documents that are due, no longer marked as due: the caller indexes them in the same transaction
 */
export function* takeDue(limit: number): Work<DueDocument[]> {
  const rows = yield* all<DueDocument & { number: number }>(
    'SELECT number, kind, account, id FROM gw.documents_due ORDER BY number LIMIT :limit FOR UPDATE',
    { limit },
  );
  if (rows.length === 0) return [];
  // A row that another machine added meanwhile may have a lower number.
  yield* runSql('DELETE FROM gw.documents_due WHERE number = ANY (:numbers)', {
    numbers: rows.map(({ number }) => String(number)),
  });
  return rows;
}

/** @returns about how many documents are due; 0 if none is */
export function* countDue(): Work<number> {
  const { count } = yield* one<{ count: number }>(
    'SELECT coalesce(max(number) - min(number) + 1, 0) AS count FROM gw.documents_due',
  );
  // Only a file has events.
  return (yield* engine()) === 'sqlite' ? count + (yield* countNewEvents()) : count;
}

function* countNewEvents(): Work<number> {
  const { count } = yield* one<{ count: number }>(
    'SELECT max(coalesce((SELECT max(id) FROM events), 0) - id, 0) AS count FROM last_indexed_event',
  );
  return count;
}
