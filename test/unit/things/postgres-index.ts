/** An index on a server of the test file's own. */

import { afterAll, beforeAll } from 'vitest';
import { readKept } from '../../../src/journal/learn.ts';
import type { RunStatement, Server } from '../../../src/store/postgres/server.ts';
import { Cluster, serverOf } from '../../helpers/postgres.ts';
import { serverStore } from '../../helpers/stores.ts';
import { type TestIndex, testIndex } from './search-cases.ts';

export interface ServerIndex extends TestIndex {
  run: RunStatement;
}

/** @param programs as `findPostgres` gives it @returns gives it once tests run */
export function postgresIndex(programs: string | undefined): () => ServerIndex {
  let cluster: Cluster;
  let server: Server;
  let index: ServerIndex;
  beforeAll(async () => {
    if (programs === undefined) return;
    cluster = new Cluster(programs);
    server = serverOf((await cluster.database()).url);
    index = {
      run: (sql, values) => server.run(sql, values),
      ...testIndex(serverStore(server), readKept),
    };
  });
  afterAll(async () => {
    await server?.close();
    cluster?.remove();
  });
  return () => index;
}
