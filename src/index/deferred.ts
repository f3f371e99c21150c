/**
 * Documents that are to be written anew. To write a document takes several times as long as what it is of, so whoever
 * changes or deletes an event, an entry or a record notes it here, in the same transaction; whoever searches has what
 * is due indexed first.
 *
 * The stores of the ledger write these rows as well, in the SQL of their engine.
 */
import type { RecordKind } from '../contract/record-id.ts';
import { all, insert, one, runSql, type Work } from '../store/sql.ts';

export interface DueDocument {
  kind: 'event' | 'request' | RecordKind;
  /** Of a record. */
  account: string | null;
  /** The number of an event, or the id of an entry or a record. */
  id: string;
}

/** Notes one that was changed or deleted. */
export function deferDocument({ kind, account, id }: DueDocument): Work<void> {
  return insert('documents_due', { kind, account, id });
}

/** Notes all that there is: for an index that is to be written anew. */
export function* deferAll(): Work<void> {
  yield* runSql(`INSERT INTO gw.documents_due (kind, account, id)
              SELECT kind, account, id FROM gw.records`);
  // Last, since whose they are is known from the records.
  yield* runSql(
    "INSERT INTO gw.documents_due (kind, id) SELECT 'request', id FROM gw.money_requests",
  );
}

/** @returns what has been due for longest, which is due no more: to be indexed in the same transaction */
export function* takeDue(limit: number): Work<DueDocument[]> {
  const rows = yield* all<DueDocument & { number: number }>(
    'SELECT number, kind, account, id FROM gw.documents_due ORDER BY number LIMIT :limit FOR UPDATE',
    { limit },
  );
  if (rows.length === 0) return [];
  // What another machine noted meanwhile may have a lower number.
  yield* runSql('DELETE FROM gw.documents_due WHERE number = ANY (:numbers)', {
    numbers: rows.map(({ number }) => String(number)),
  });
  return rows;
}

/** @returns about how many documents are due; 0 when none is */
export function* countDue(): Work<number> {
  const { count } = yield* one<{ count: number }>(
    'SELECT coalesce(max(number) - min(number) + 1, 0) AS count FROM gw.documents_due',
  );
  return count;
}
