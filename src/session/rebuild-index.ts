/** The index of the ledger, written anew from what it indexes. */
import { indexEvents } from '../events/index-events.ts';
import { clearFacts, completeFacts } from '../facts/write-facts.ts';
import { indexRequests } from '../journal/money-requests.ts';
import { indexRecords } from '../journal/sightings.ts';
import { Database } from '../storage/database.ts';
import { ledgerFile } from '../storage/ledger-file.ts';

/**
 * In one step: others go on with the index that there was, and wait to write meanwhile.
 * @param path file of the ledger
 * @throws Failure usage when it cannot be used
 */
export function rebuildIndex(path: string): void {
  const database = new Database(ledgerFile(path));
  try {
    database.write((queries) => {
      clearFacts(queries);
      indexRecords(queries);
      indexEvents(queries);
      // Last, since whose they are is known from the others.
      indexRequests(queries);
      completeFacts(queries);
    });
  } finally {
    database.close();
  }
}
