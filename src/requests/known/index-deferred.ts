/** Turns what is due into documents: events, records and requests, each kind in the order of its arrival. */
import { indexNewEvents } from '../../events/store/index-events.ts';
import { type DueDocument, deferAll, takeDue } from '../../index/deferred.ts';
import { clearDocuments } from '../../index/write.ts';
import { indexEntry, indexRecord } from '../../journal/due-documents.ts';
import type { SqlStore, Work } from '../../store/sql.ts';

/** Documents in one transaction. It is small, so that others who wait to write get their turn. */
const LOT = 500;

/** Writes at most `limit` of the documents that are due. @returns the number of those that were due */
export function* indexDue(limit: number): Work<number> {
  const events = yield* indexNewEvents(limit);
  const due = yield* takeDue(limit - events);
  // An entry is due when it is written, and again when it has its outcome.
  const each = new Map(due.map((one) => [JSON.stringify([one.kind, one.account, one.id]), one]));
  const isRequest = ({ kind }: DueDocument) => kind === 'request';
  for (const one of each.values()) if (!isRequest(one)) yield* indexOne(one);
  // Requests come last, because the records tell which account they belong to.
  for (const one of each.values()) if (isRequest(one)) yield* indexOne(one);
  return events + due.length;
}

/** An item that is gone meanwhile yields no document. */
function* indexOne({ kind, account, id }: DueDocument): Work<void> {
  if (kind === 'request') yield* indexEntry(id);
  else yield* indexRecord(kind, account ?? '', id);
}

/** Writes all documents that are due. @throws Failure guard if the ledger cannot be used */
export async function indexAllDue(store: Pick<SqlStore, 'write'>): Promise<void> {
  while ((await store.write(() => indexDue(LOT))) === LOT);
}

/**
 * Rebuilds the index in one transaction. Readers use the old index meanwhile, and writers wait.
 * @throws Failure guard if the ledger cannot be used
 */
export function rebuildIndex(store: SqlStore): Promise<void> {
  return store.write(function* () {
    yield* clearDocuments();
    yield* deferAll();
    yield* indexDue(Number.MAX_SAFE_INTEGER);
  });
}
