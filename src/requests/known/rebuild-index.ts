/** The index of the ledger, written anew from what it indexes. */
import { indexEvents } from '../../events/store/index-events.ts';
import { clearDocuments, completeDocuments } from '../../index/write.ts';
import { indexRecords } from '../../journal/records/snapshots.ts';
import { indexRequests } from '../../journal/requests/index-requests.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { Database } from '../../store/sqlite/database.ts';

/**
 * In one step: others go on with the index that there was, and wait to write meanwhile.
 * @param path file of the ledger
 * @throws Failure usage when it cannot be used
 */
export function rebuildIndex(path: string): void {
  const database = new Database(ledgerFile(path));
  try {
    database.write((queries) => {
      queries.do(clearDocuments(), '');
      queries.do(indexRecords(), '');
      indexEvents(queries);
      // Last, since whose they are is known from the others.
      queries.do(indexRequests(), '');
      queries.do(completeDocuments(), '');
    });
  } finally {
    database.close();
  }
}
