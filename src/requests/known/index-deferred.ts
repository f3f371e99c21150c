/** What is due becomes documents: events, requests and records, in the order in which they came. */
import { indexKeptEvent } from '../../events/store/index-events.ts';
import { type DeferredDocument, takeDue } from '../../index/deferred.ts';
import { indexRecord } from '../../journal/records/snapshots.ts';
import { indexRequest } from '../../journal/requests/index-requests.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { Database } from '../../store/sqlite/database.ts';
import type { Queries } from '../../store/sqlite/queries.ts';

/** Documents of one transaction, so that whoever waits to write gets their turn. */
const LOT = 500;

/** @returns how many of at most `limit` there were */
function indexDue(queries: Queries, limit: number): number {
  const due = queries.do(takeDue(limit), '');
  for (const one of due) index(queries, one);
  return due.length;
}

/** What is gone meanwhile becomes none. */
function index(queries: Queries, { kind, key }: DeferredDocument): void {
  if (kind === 'event') indexKeptEvent(queries, Number(key));
  else queries.do(kind === 'request' ? indexRequest(key) : indexRecord(key), '');
}

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
    while (database.write((queries) => indexDue(queries, LOT)) === LOT);
  } finally {
    database.close();
  }
}
