/** What is due becomes documents: events, requests and records, in the order in which they came. */
import { indexEvents, indexKeptEvent } from '../../events/store/index-events.ts';
import { type DueDocument, deferAll, takeDue } from '../../index/deferred.ts';
import { clearDocuments } from '../../index/write.ts';
import { indexEntry, indexRecord } from '../../journal/due-documents.ts';
import type { SqlStore, Work } from '../../store/sql.ts';

/** Documents of one transaction, so that whoever waits to write gets their turn. */
const LOT = 500;

/** Writes the documents of at most `limit` that are due. @returns how many there were */
export function* indexDue(limit: number): Work<number> {
  const due = yield* takeDue(limit);
  // An entry is due when it is written, and once more when it has its outcome.
  const each = new Map(due.map((one) => [JSON.stringify([one.kind, one.account, one.id]), one]));
  const isRequest = ({ kind }: DueDocument) => kind === 'request';
  for (const one of each.values()) if (!isRequest(one)) yield* indexOne(one);
  // Last, since whose they are is known from the records.
  for (const one of each.values()) if (isRequest(one)) yield* indexOne(one);
  return due.length;
}

/** One that is gone meanwhile becomes none. */
function* indexOne({ kind, account, id }: DueDocument): Work<void> {
  if (kind === 'event') yield* indexKeptEvent(Number(id));
  else if (kind === 'request') yield* indexEntry(id);
  else yield* indexRecord(kind, account ?? '', id);
}

/** Writes the documents of all that is due. @throws Failure guard when the ledger cannot be used */
export async function indexAllDue(store: Pick<SqlStore, 'write'>): Promise<void> {
  while ((await store.write(() => indexDue(LOT))) === LOT);
}

/**
 * In one step: others go on with the index that there was, and wait to write meanwhile.
 * @throws Failure guard when the ledger cannot be used
 */
export function rebuildIndex(store: SqlStore): Promise<void> {
  return store.write(function* () {
    yield* clearDocuments();
    yield* indexEvents();
    yield* deferAll();
    yield* indexDue(Number.MAX_SAFE_INTEGER);
  });
}
