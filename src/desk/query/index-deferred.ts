/** What is due becomes facts: events, requests and records, in the order in which they came. */
import { indexKeptEvent } from '../../events/store/index-events.ts';
import type { DueFact } from '../../index/deferred.ts';
import { takeDue } from '../../index/sqlite/write.ts';
import { indexRecord } from '../../journal/records/snapshots.ts';
import { indexRequest } from '../../journal/requests/index-requests.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { Database } from '../../store/sqlite/database.ts';
import type { Queries } from '../../store/sqlite/queries.ts';

/** Facts of one transaction, so that whoever waits to write gets their turn. */
const LOT = 500;

/** @returns how many of at most `limit` there were */
function indexDue(queries: Queries, limit: number): number {
  const due = takeDue(queries, limit);
  for (const one of due) INDEX[one.kind](queries, one.key);
  return due.length;
}

/** What is gone meanwhile becomes none. */
const INDEX: Readonly<Record<DueFact['kind'], (queries: Queries, key: string) => void>> = {
  event: (queries, key) => queries.do(indexKeptEvent(Number(key)), ''),
  request: (queries, key) => queries.do(indexRequest(key), ''),
  record: (queries, key) => queries.do(indexRecord(key), ''),
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
    while (database.write((queries) => indexDue(queries, LOT)) === LOT);
  } finally {
    database.close();
  }
}
