/** What is due becomes documents: events, requests and records, in the order in which they came. */
import { indexKeptEvent } from '../../events/store/index-events.ts';
import { type DeferredDocument, takeDue } from '../../index/deferred.ts';
import { indexRecord } from '../../journal/records/snapshots.ts';
import { indexRequest } from '../../journal/requests/index-requests.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import type { Work } from '../../store/sql.ts';
import { Database } from '../../store/sqlite/database.ts';

/** Documents of one transaction, so that whoever waits to write gets their turn. */
const LOT = 500;

/** @returns how many of at most `limit` there were */
function* indexDue(limit: number): Work<number> {
  const due = yield* takeDue(limit);
  for (const { kind, key } of due) yield* INDEX[kind](key);
  return due.length;
}

/** What is gone meanwhile becomes none. */
const INDEX: Readonly<Record<DeferredDocument['kind'], (key: string) => Work<void>>> = {
  event: (key) => indexKeptEvent(Number(key)),
  request: indexRequest,
  record: indexRecord,
};

/**
 * All that is due.
 * @param path file of the ledger
 * @throws Failure usage when it cannot be used
 */
export function indexAllDue(path: string): void {
  const database = new Database(ledgerFile(path));
  try {
    // Whoever searches goes on when this ends, and the disk may take its time.
    database.waitForDisk(false);
    while (database.write((queries) => queries.do(indexDue(LOT), '')) === LOT);
  } finally {
    database.close();
  }
}
