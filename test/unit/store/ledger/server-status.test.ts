import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { LEDGER_FORM } from '../../../../src/store/ledger/postgres-schema.ts';
import {
  activeSenders,
  latencyOf,
  rightsOfRole,
  serverStatus,
} from '../../../../src/store/ledger/server-status.ts';
import { Cluster, findPostgres, serverOf } from '../../../helpers/postgres.ts';

const programs = findPostgres();

describe.skipIf(programs === undefined)('what a ledger on a server has', () => {
  const cluster = new Cluster(programs ?? '');
  afterAll(() => cluster.remove());

  async function ledger() {
    const database = await cluster.database();
    const server = serverOf(database.url);
    onTestFinished(() => server.close());
    const query = (sql: string) => cluster.query(database.name, sql);
    return { server, query };
  }

  const entries = (count: number, state: string, owner: string, left = '1 minute') =>
    `INSERT INTO gw.money_requests (id, created_at, profile, environment, host, operation, body, state,
                                    owner, operator, machine, sends_until)
     SELECT '${owner} ${state} ' || n, now(), 'shop', 'live', 'h', 'purchase create', '{}', '${state}',
            '${owner}', 'op ${owner}', 'm ${owner}', now() + interval '${left}'
       FROM generate_series(1, ${count}) AS n`;

  test('it is counted, and what is unresolved beside it', async () => {
    const { server, query } = await ledger();
    await query(entries(3, 'done', 'a'));
    await query(entries(2, 'unknown', 'a'));
    await query(entries(1, 'sending', 'a'));
    expect(await serverStatus(server)).toMatchObject({
      form: LEDGER_FORM,
      version: expect.stringMatching(/^\d+\.\d+$/),
      entries: 6,
      records: 0,
      isEstimated: false,
      unresolved: 3,
    });
    expect((await serverStatus(server)).bytes).toBeGreaterThan(100_000);
  });

  test('whoever is sending is at it, with how much', async () => {
    const { server, query } = await ledger();
    await query(entries(2, 'sending', 'one'));
    await query(entries(1, 'unknown', 'one'));
    await query(entries(2, 'sending', 'gone', '-1 second'));
    expect(await activeSenders(server)).toEqual([
      { operator: 'op one', machine: 'm one', since: expect.any(String), unresolved: 2 },
    ]);
  });

  test('what a role may do is told', async () => {
    const { server } = await ledger();
    expect(await rightsOfRole(server)).toEqual({ role: 'gw', mayWrite: true, mayDelete: true });
  });

  test('how long a question takes is the median of a few', async () => {
    const { server } = await ledger();
    const times = [0, 10, 20, 520, 600, 605];
    expect(await latencyOf(server, () => times.shift() ?? 0)).toBe(2);
  });
});
