import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { countServer } from '../../../../src/store/ledger/counts.ts';
import { LEDGER_FORM } from '../../../../src/store/ledger/postgres-schema.ts';
import { rightsOfRole, serverStatus } from '../../../../src/store/ledger/server-status.ts';
import { Cluster, findPostgres, serverOf } from '../../../helpers/postgres.ts';

const programs = findPostgres();

describe.skipIf(programs === undefined)('the status of a ledger on a server', () => {
  const cluster = new Cluster(programs);
  afterAll(() => cluster.remove());

  async function ledger() {
    const database = await cluster.database();
    const server = serverOf(database.url);
    onTestFinished(() => server.close());
    const query = (sql: string) => cluster.query(database.name, sql);
    return { server, query };
  }

  test('counts its rows and the unresolved requests', async () => {
    const { server, query } = await ledger();
    for (const [count, state] of [
      [3, 'done'],
      [2, 'unknown'],
      [1, 'sending'],
    ])
      await query(
        `INSERT INTO gw.money_requests (id, created_at, account, profile, environment, host, operation, body, state)
         SELECT '${state} ' || n, now(), 'a1', 'shop', 'live', 'h', 'purchase create', '{}', '${state}'
           FROM generate_series(1, ${count}) AS n`,
      );
    expect(await serverStatus(server)).toMatchObject({
      form: LEDGER_FORM,
      version: expect.stringMatching(/^\d+\.\d+$/),
    });
    expect(await countServer(server)).toEqual({ entries: 6, records: 0, unresolved: 3 });
  });

  test('shows the rights of the role', async () => {
    const { server } = await ledger();
    expect(await rightsOfRole(server)).toEqual({ role: 'gw', mayWrite: true, mayDelete: true });
  });
});
