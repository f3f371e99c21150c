/** Stores for work of both kinds (src/store/sql.ts) on a database that a test has opened. */

import type { Server } from '../../src/store/postgres/server.ts';
import { perform } from '../../src/store/postgres/work.ts';
import type { SqlStore } from '../../src/store/sql.ts';
import type { Database } from '../../src/store/sqlite/database.ts';

export function fileStore(database: Database): SqlStore {
  return {
    read: async (work) => database.read((queries) => queries.do(work())),
    write: async (work) => database.write((queries) => queries.do(work())),
    close: async () => database.close(),
  };
}

export function serverStore(server: Server): SqlStore {
  return {
    read: (work) => perform((sql, values) => server.runAgain(sql, values), work()),
    write: (work) => server.transaction((run) => perform(run, work())),
    close: () => server.close(),
  };
}
