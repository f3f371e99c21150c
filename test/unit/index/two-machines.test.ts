/** Two machines that learn at once from one server: each row has what both learnt. */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { learnAllDue, learnDue, rebuildIndex } from '../../../src/requests/known/learn-due.ts';
import { PostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { all, type Work } from '../../../src/store/sql.ts';
import { Cluster, findPostgres, serverOf } from '../../helpers/postgres.ts';
import { putEntry, putRecord } from './sources.ts';

const programs = findPostgres();
const OWNER = { account: 'a1', profile: 'shop', environment: 'live' };
const THINGS = 40;

/** Each purchase is told of by a record and by the request that made it. */
function* sources(): Work<void> {
  for (let n = 0; n < THINGS; n++) {
    const id = `071-P-${n}`;
    const record = JSON.stringify({ id, amount: 300, currency: 'AUD', successful: true });
    const last_seen_at = '2026-03-02T00:00:00.000Z';
    yield* putRecord({ ...OWNER, kind: 'purchase', id, last_seen_at, record });
    const entry = { operation: 'purchase create', state: 'done', record_id: id, amount: 300 };
    yield* putEntry({ ...OWNER, ...entry, id: `e${n}` });
  }
}

const rows = () =>
  all<{ id: string }>('SELECT id, told, sources, keys FROM gw.documents ORDER BY id');

describe.skipIf(programs === undefined)('on a server', () => {
  const cluster = new Cluster(programs);
  afterAll(() => cluster.remove());

  async function open() {
    const { url } = await cluster.emptied();
    return [1, 2].map(() => {
      const server = serverOf(url);
      onTestFinished(() => server.close());
      return new PostgresStore(server);
    }) as [PostgresStore, PostgresStore];
  }

  test('lots of one and of another take turns', async () => {
    const [one, other] = await open();
    await one.write(sources);
    const lots = (store: PostgresStore, limit: number) =>
      Array.from({ length: THINGS }, () => store.write(() => learnDue(limit)));
    await Promise.all([...lots(one, 1), ...lots(other, 3)]);
    await Promise.all([learnAllDue(one), learnAllDue(other)]);
    const learnt = await one.read(rows);
    expect(learnt).toHaveLength(THINGS);
    await rebuildIndex(one);
    expect(learnt).toEqual(await other.read(rows));
  });

  test('who comes second waits, and sees what the first one wrote', async () => {
    const [one, other] = await open();
    await one.write(sources);
    let second: Promise<number> | undefined;
    await one.write(function* () {
      const left = yield* learnDue(THINGS);
      // The other begins while this transaction has its rows, which nobody else sees yet.
      second ??= other.write(() => learnDue(2 * THINGS));
      return left;
    });
    expect(await second).toBe(0);
    const learnt = await other.read(rows);
    expect(learnt).toHaveLength(THINGS);
    await rebuildIndex(one);
    expect(learnt).toEqual(await other.read(rows));
  });
});
