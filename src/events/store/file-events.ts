/** Received events in the ledger's file. */
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import type { SqlStore } from '../../store/sql.ts';
import { Database } from '../../store/sqlite/database.ts';
import { SqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { EventStore } from './event-store.ts';
import { SqlEventStore } from './sql-event-store.ts';

/**
 * Opens the events of the ledger, made with its directories where there is none.
 * @param path file of the ledger
 * @throws Failure usage or guard when the file cannot be used
 */
export async function openEventStore(path: string): Promise<EventStore> {
  return new SqlEventStore(openEventFile(path));
}

/** As `openEventStore`, what is below it. */
function openEventFile(path: string): SqlStore {
  const database = new Database(ledgerFile(path));
  // A stream of deliveries changes the same pages again and again, so they stay in memory. They are copied
  // from the log to the file in small lots, since everybody who is waiting for an answer waits for that, too.
  database.set('cache_size = -65536');
  database.set('wal_autocheckpoint = 500');
  // Written at once; who needs it to be on disk waits for that while the next is written.
  return new SqliteStore(database, NO_CLOCK, () => Promise.resolve());
}

/** Events have their times when they come here. */
const NO_CLOCK = { now: () => new Date(0) };
