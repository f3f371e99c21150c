/** An index on a server of the test file's own. */
import { afterAll, beforeAll } from 'vitest';
import type { IndexedFact } from '../../../src/index/document.ts';
import { PostgresFacts } from '../../../src/index/postgres/postgres-facts.ts';
import type { Steps } from '../../../src/index/postgres/postgres-search.ts';
import { changeOutcomes, putFacts } from '../../../src/index/postgres/postgres-write-facts.ts';
import type { Facts } from '../../../src/index/search-index.ts';
import type { RunStatement, Server } from '../../../src/store/postgres/server.ts';
import { Cluster, serverOf } from '../../helpers/postgres.ts';
import type { TestIndex } from './search-cases.ts';

export interface ServerIndex extends TestIndex {
  run: RunStatement;
  /** @returns the same facts, asked with other steps */
  stepped(steps: Steps): { facts: Facts };
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
    const run: RunStatement = (sql, values) => server.run(sql, values);
    index = {
      run,
      facts: new PostgresFacts(server),
      stepped: (steps) => ({ facts: new PostgresFacts(server, steps) }),
      async put(all: readonly IndexedFact[]) {
        // Faster than to empty the tables anew, of so few rows.
        await run('DELETE FROM gw.fact_keys');
        await run('DELETE FROM gw.facts');
        await putFacts(
          run,
          all.map((fact, n) => ({ origin: `fact ${n}`, fact })),
        );
      },
      change: (n, outcome) => changeOutcomes(run, [`fact ${n}`, `fact ${n}~`], outcome),
    };
  });
  afterAll(async () => {
    await server?.close();
    cluster?.remove();
  });
  return () => index;
}
