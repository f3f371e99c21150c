/** An index in a file that is none, emptied before each use, since making one takes longer than all else. */
import { readSources } from '../../../src/requests/known/learn-due.ts';
import { ledgerFile } from '../../../src/store/ledger/ledger-file.ts';
import type { SqlStore } from '../../../src/store/sql.ts';
import { Database } from '../../../src/store/sqlite/database.ts';
import { IN_MEMORY } from '../../../src/store/sqlite/open-file.ts';
import { type TestIndex, testIndex } from './search-cases.ts';

export interface FileIndex extends TestIndex {
  database: Database;
}

export function sqliteIndex(): FileIndex {
  const database = new Database(ledgerFile(IN_MEMORY));
  const store: SqlStore = {
    read: async (work) => database.read((queries) => queries.do(work())),
    write: async (work) => database.write((queries) => queries.do(work())),
    close: async () => database.close(),
  };
  return { database, ...testIndex(store, readSources) };
}
