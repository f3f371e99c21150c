/** A team's ledger that goes back to an older state, and machines that have seen more or less of it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createFiles } from '../../../../src/host/files/files.ts';
import type { Ledger } from '../../../../src/journal/ledger.ts';
import { LedgerMarks } from '../../../../src/journal/postgres/ledger-marks.ts';
import { openPostgresLedger } from '../../../../src/journal/postgres/postgres-ledger.ts';
import { findGap, findRestored } from '../../../../src/journal/postgres/restored.ts';
import { acceptRestore } from '../../../../src/store/ledger/init.ts';
import { marksPath } from '../../../../src/store/paths.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { REFUND } from '../../../helpers/money-request.ts';
import { Cluster, findPostgres, serverOf, type TestDatabase } from '../../../helpers/postgres.ts';
import { foreseen, recorded } from '../../../helpers/recorded.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const programs = findPostgres();
const DONE = { state: 'done', status: 200, recordId: 'R-9', message: null } as const;

function machine() {
  const files = createFiles({ HOME: temporaryDirectory() });
  const directory = marksPath(files, 'live');
  return { directory, marks: new LedgerMarks(files, directory) };
}

describe.skipIf(programs === undefined)('a machine that has seen a ledger', () => {
  const cluster = new Cluster(programs);
  afterAll(() => cluster.remove());

  function open({ url }: TestDatabase, marks: LedgerMarks | undefined, operator = 'ada'): Ledger {
    const clock = {
      now: () => new Date(),
      uptimeMs: () => performance.now(),
      sleep: () => new Promise<void>(() => undefined),
    };
    const author = { operator, machine: operator };
    const ledger = openPostgresLedger(serverOf(url), { author, clock, marks });
    onTestFinished(() => ledger.close());
    return ledger;
  }

  function serverFor({ url }: TestDatabase) {
    const server = serverOf(url);
    onTestFinished(() => server.close());
    return server;
  }

  /** @returns a database that is like another one was at this moment */
  async function copyOf(database: TestDatabase): Promise<TestDatabase> {
    const copy = await cluster.database({ isEmpty: true });
    await cluster.query('postgres', `DROP DATABASE ${copy.name}`);
    const idle = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database.name}'`;
    await cluster.query('postgres', idle);
    await cluster.query('postgres', `CREATE DATABASE ${copy.name} TEMPLATE ${database.name}`);
    return copy;
  }

  let numbers = 0;
  const another = () => ({ ...REFUND, reference: `N-${++numbers}` });

  test('sends nothing to a ledger that lacks its entries, and can read it', async () => {
    const [database, { marks }] = [await cluster.database(), machine()];
    await recorded(open(database, marks), another());
    const older = await copyOf(database);
    await recorded(open(database, marks), another());
    const ledger = open(older, marks);
    for (const ask of [
      () => ledger.intend(another()),
      () => foreseen(ledger, another(), { noDuplicate: true, noOverRefund: false }),
      () => ledger.admit(),
    ]) {
      const failure = await failureOf(ask);
      expect(failure).toMatchObject({ kind: 'guard', code: 'ledger-restored' });
      expect(failure.sent).toBe(false);
      expect(failure.next).toContain('--accept-restore');
    }
    expect(await ledger.list({ limit: 10 })).toHaveLength(1);
    // The marks of the machine stay.
    expect(await findRestored(serverFor(older), marks.all())).toBeDefined();
    expect(await findRestored(serverFor(database), marks.all())).toBeUndefined();
    await recorded(open(database, marks), another());
  });

  test('notices even if it only read; a machine that never read does not', async () => {
    const [database, sender, looker] = [await cluster.database(), machine(), machine()];
    const older = await copyOf(database);
    await recorded(open(database, sender.marks), another());
    await open(database, looker.marks, 'ben').list({ limit: 1 });
    expect(await failureOf(() => open(older, looker.marks, 'ben').intend(another()))).toMatchObject(
      {
        code: 'ledger-restored',
      },
    );
    await recorded(open(older, machine().marks, 'cleo'), another());
  });

  test('may send again after the owner accepts the loss, and notices the next one', async () => {
    const [database, ada, ben] = [await cluster.database(), machine(), machine()];
    const first = await recorded(open(database, ada.marks), another());
    const older = await copyOf(database);
    await recorded(open(database, ada.marks), another());
    await open(database, ben.marks, 'ben').list({ limit: 1 });
    const owner = serverFor(older);
    const gap = await owner.transaction((run) => findGap(run, ada.marks.all()));
    const [entry] = await open(older, undefined).entries([first]);
    expect(gap).toEqual({ since: entry?.createdAt, until: ada.marks.all()[0]?.at });
    await acceptRestore(owner);
    await recorded(open(older, ada.marks), another());
    const oldest = await copyOf(older);
    await recorded(open(older, ben.marks, 'ben'), another());
    expect(ben.marks.all()).toHaveLength(1);
    await recorded(open(oldest, ada.marks), another());
    expect(await failureOf(() => open(oldest, ben.marks).intend(another()))).toMatchObject({
      code: 'ledger-restored',
    });
  });

  test('goes on after a restart of the server, beside machines that have seen more or less', async () => {
    const [database, ada, ben] = [await cluster.database(), machine(), machine()];
    await recorded(open(database, ada.marks), another());
    await recorded(open(database, ben.marks, 'ben'), another());
    cluster.stop('immediate');
    cluster.start();
    const [one, two] = [open(database, ada.marks), open(database, ada.marks)];
    const three = open(database, ben.marks, 'ben');
    for (let round = 0; round < 3; round++)
      await Promise.all([one, two, three].map((ledger) => recorded(ledger, another())));
    expect(ada.marks.all().length).toBeLessThanOrEqual(2);
    expect(ben.marks.all()).toHaveLength(1);
  });

  test('goes on after its entries were pruned or forgotten with their profile', async () => {
    const [database, ada] = [await cluster.database(), machine()];
    const ledger = open(database, ada.marks);
    const id = await recorded(ledger, another());
    await ledger.settle(id, DONE);
    expect(await ledger.prune(new Date(Date.now() + 60_000).toISOString())).toBe(1);
    await recorded(open(database, ada.marks), another());
    await open(database, undefined).forget(REFUND.profile);
    expect(await findRestored(serverFor(database), ada.marks.all())).toBeUndefined();
    await recorded(open(database, ada.marks), another());
    // A pruned entry is no reason for later ones to be missing.
    const older = await copyOf(database);
    await recorded(open(database, ada.marks), another());
    expect(await failureOf(() => open(older, ada.marks).intend(another()))).toMatchObject({
      code: 'ledger-restored',
    });
  });

  test('sends nothing if it cannot note what it wrote, and says so in the ledger', async () => {
    const [database, { marks, directory }] = [await cluster.database(), machine()];
    const ledger = open(database, marks);
    await ledger.list({ limit: 1 });
    mkdirSync(path.dirname(directory), { recursive: true });
    writeFileSync(directory, '');
    expect(await failureOf(() => ledger.intend(another()))).toMatchObject({
      kind: 'guard',
      sent: false,
    });
    const [entry] = await open(database, undefined).list({ limit: 1 });
    expect(entry).toMatchObject({ state: 'not-sent' });
  });
});
