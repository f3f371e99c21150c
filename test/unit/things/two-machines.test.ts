/** Two machines that learn at once from one server: each row has what both learnt. */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { learnAllDue, learnDue, rebuildIndex } from '../../../src/requests/known/learn-due.ts';
import { allRows, runSql, type SqlStore, type Work } from '../../../src/store/sql.ts';
import { Cluster, findPostgres, serverOf } from '../../helpers/postgres.ts';
import { serverStore } from '../../helpers/stores.ts';
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
  allRows<{ id: string }>('SELECT id, told, sources, keys FROM gw.things ORDER BY id');

describe.skipIf(programs === undefined)('on a server', () => {
  const cluster = new Cluster(programs);
  afterAll(() => cluster.remove());

  async function open() {
    const { url } = await cluster.emptied();
    return [1, 2].map(() => {
      const server = serverOf(url);
      onTestFinished(() => server.close());
      return serverStore(server);
    }) as [SqlStore, SqlStore];
  }

  test('two machines that learn lots at once learn each thing once', async () => {
    const [one, other] = await open();
    await one.write(sources);
    const lots = (store: SqlStore, limit: number) =>
      Array.from({ length: THINGS }, () => store.write(() => learnDue(limit)));
    await Promise.all([...lots(one, 1), ...lots(other, 3)]);
    await Promise.all([learnAllDue(one), learnAllDue(other)]);
    const learnt = await one.read(rows);
    expect(learnt).toHaveLength(THINGS);
    await rebuildIndex(one);
    expect(learnt).toEqual(await other.read(rows));
  });

  test('a machine waits for the one that learns, and sees what it wrote', async () => {
    const [one, other] = await open();
    await one.write(sources);
    await learnAllDue(one);
    const entry = { operation: 'purchase create', state: 'done', record_id: '071-P-X' };
    await one.write(() => putEntry({ ...OWNER, ...entry, id: 'x', amount: 300 }));
    let second: Promise<unknown> | undefined;
    await one.write(function* () {
      yield* learnDue();
      // The other learns of the same purchase from a source that was noted before, and seen only now.
      second ??= other.write(function* () {
        const record = JSON.stringify({ id: '071-P-X', amount: 300 });
        const last_seen_at = '2026-03-02T00:00:00.000Z';
        yield* putRecord({ ...OWNER, kind: 'purchase', id: '071-P-X', last_seen_at, record });
        yield* runSql('UPDATE gw.sources_due SET number = 0 WHERE kind = :kind', {
          kind: 'purchase',
        });
        yield* learnDue(1);
      });
      yield* untilSomebodyWaits();
    });
    await second;
    const learnt = await other.read(rows);
    expect(learnt).toHaveLength(THINGS + 1);
    await rebuildIndex(one);
    expect(learnt).toEqual(await other.read(rows));
  });
});

function* untilSomebodyWaits(): Work<void> {
  for (let asked = 0; asked < 100_000; asked++) {
    const waiting = yield* allRows('SELECT 1 AS one FROM pg_locks WHERE NOT granted');
    if (waiting.length > 0) return;
  }
  throw new Error('nobody waits');
}
