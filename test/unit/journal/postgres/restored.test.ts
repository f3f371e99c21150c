/** A team's ledger that goes back to an older state, and machines that have seen more or less of it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createFiles } from '../../../../src/host/files/files.ts';
import type { Ledger } from '../../../../src/journal/ledger.ts';
import { LedgerMarks } from '../../../../src/journal/postgres/ledger-marks.ts';
import { openPostgresLedger } from '../../../../src/journal/postgres/postgres-ledger.ts';
import { findGap, findRestored } from '../../../../src/journal/postgres/restored.ts';
import { acceptRestore, makeLedger, makeOperator } from '../../../../src/store/ledger/init.ts';
import { marksPath } from '../../../../src/store/paths.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { REFUND } from '../../../helpers/money-request.ts';
import {
  AT_HOME,
  acceptAll,
  Cluster,
  findPostgres,
  SCHEMA,
  serverOf,
  type TestDatabase,
} from '../../../helpers/postgres.ts';
import { foreseen, recorded } from '../../../helpers/recorded.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const programs = findPostgres();
const PURCHASE_SEEN = {
  ...{ account: 'a', profile: 'shop', environment: 'live', host: 'gateway.example' },
  ...{ kind: 'purchase' as const, id: 'P-1', reference: null, name: null, lastFour: null },
  ...{ seenBy: 'purchase get', record: {} },
} as const;
const DONE = { state: 'done', status: 200, recordId: 'R-9', message: null } as const;

function machine() {
  const files = createFiles({ HOME: temporaryDirectory() });
  const directory = marksPath(files);
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

  const onlooker = (database: TestDatabase, marks: LedgerMarks | undefined) => ({
    server: serverFor(database),
    author: { operator: 'cleo', machine: 'porch' },
    marks,
  });

  function serverFor({ url }: TestDatabase) {
    const server = serverOf(url);
    onTestFinished(() => server.close());
    return server;
  }

  /**
   * @param isDump whether it is a database of its own, as a dump that was restored; else as a snapshot of the files
   * @returns a database that is like another one was at this moment
   */
  async function copyOf(database: TestDatabase, { isDump = false } = {}): Promise<TestDatabase> {
    const copy = await cluster.database({ isEmpty: true });
    await cluster.query('postgres', `DROP DATABASE ${copy.name}`);
    const idle = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database.name}'`;
    await cluster.query('postgres', idle);
    await cluster.query('postgres', `CREATE DATABASE ${copy.name} TEMPLATE ${database.name}`);
    if (!isDump) await cluster.query(copy.name, AT_HOME);
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
    expect(await findRestored(onlooker(older, marks))).toBeDefined();
    expect(await findRestored(onlooker(database, marks))).toBeUndefined();
    await recorded(open(database, marks), another());
  });

  test('notices even if it only read; where none has read, nobody can', async () => {
    const [database, sender, looker] = [await cluster.database(), machine(), machine()];
    const older = await copyOf(database);
    await recorded(open(database, sender.marks), another());
    await open(database, looker.marks, 'ben').list({ limit: 1 });
    await recorded(open(older, machine().marks, 'cleo'), another());
    expect(await failureOf(() => open(older, looker.marks, 'ben').intend(another()))).toMatchObject(
      {
        code: 'ledger-restored',
      },
    );
  });

  const NOTICES: [how: string, notice: (ledger: Ledger) => Promise<unknown>][] = [
    ['sends', (ledger) => failureOf(() => ledger.intend(another()))],
    ['tries a dry run', (ledger) => failureOf(() => ledger.admit())],
    ['looks something up', (ledger) => ledger.list({ limit: 1 })],
  ];

  test.each(NOTICES)('that %s tells the others, who refuse by any door', async (_, notice) => {
    const [database, ada] = [await cluster.database(), machine()];
    const older = await copyOf(database);
    const id = await recorded(open(database, ada.marks), another());
    await notice(open(older, ada.marks));
    await notice(open(older, ada.marks));
    const ben = open(older, machine().marks, 'ben');
    for (const ask of [
      () => ben.intend(another()),
      () => foreseen(ben, another(), { noDuplicate: true, noOverRefund: false }),
      () => ben.admit(),
      () => open(older, undefined).intend(another()),
    ]) {
      const { code, message, sent } = await failureOf(ask);
      expect({ code, sent }).toEqual({ code: 'ledger-restored', sent: false });
      expect(message).toContain(id);
      expect(message).toMatch(/^ada on ada \(role gw\) has seen .* It was noticed on \d{4}-/);
    }
    expect((await findGap(serverFor(older))).doubts).toHaveLength(1);
    await acceptAll(serverFor(older));
    await recorded(open(older, ada.marks), another());
    await recorded(ben, another());
  });

  test('that is running when another one notices stops', async () => {
    const [database, ada, ben] = [await cluster.database(), machine(), machine()];
    const older = await copyOf(database);
    await recorded(open(database, ada.marks), another());
    const running = open(older, ben.marks, 'ben');
    await recorded(running, another());
    await open(older, ada.marks).list({ limit: 1 });
    expect(await failureOf(() => running.intend(another()))).toMatchObject({
      code: 'ledger-restored',
    });
  });

  test('that waits for one that notices is told', async () => {
    const [database, ben] = [await cluster.database(), machine()];
    const ledger = open(database, ben.marks, 'ben');
    await ledger.list({ limit: 1 });
    const waiting =
      "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    const { failure } = await serverFor(database).transaction(async (run) => {
      await run('SELECT FROM gw.target_locks ORDER BY number FOR UPDATE');
      await run("INSERT INTO gw.doubts (reason, operator, machine) VALUES ('x', 'ada', 'desk')");
      const refused = failureOf(() => ledger.intend(another()));
      await expect.poll(() => cluster.query(database.name, waiting)).toHaveLength(1);
      return { failure: refused };
    });
    expect(await failure).toMatchObject({
      code: 'ledger-restored',
      message: expect.stringContaining('ada on desk'),
    });
  });

  test('that notices more than was accepted stops all of them again', async () => {
    const [database, ada, ben] = [await cluster.database(), machine(), machine()];
    const older = await copyOf(database);
    await recorded(open(database, ada.marks), another());
    await open(database, ben.marks, 'ben').list({ limit: 1 });
    await recorded(open(database, ben.marks, 'ben'), another());
    await open(older, ada.marks).list({ limit: 1 });
    const owner = serverFor(older);
    const shown = (await findGap(owner)).doubts.flatMap(({ number }) => number ?? []);
    // Noticed between the list and its acceptance.
    await open(older, ben.marks, 'ben').list({ limit: 1 });
    await acceptRestore(owner, shown);
    expect(await failureOf(() => open(older, ada.marks).intend(another()))).toMatchObject({
      code: 'ledger-restored',
      message: expect.stringMatching(/^ben on ben/),
    });
    await acceptAll(owner);
    await recorded(open(older, ada.marks), another());
    await recorded(open(older, ben.marks, 'ben'), another());
  });

  test('refuses also where it may not tell, and tells as an operator', async () => {
    const [database, ada] = [await cluster.database(), machine()];
    const older = await copyOf(database);
    await recorded(open(database, ada.marks), another());
    await cluster.query(
      older.name,
      `CREATE ROLE looker LOGIN; GRANT USAGE ON SCHEMA gw TO looker;
       GRANT SELECT ON ALL TABLES IN SCHEMA gw TO looker;
       GRANT UPDATE (note) ON gw.target_locks TO looker`,
    );
    const as = (role: string) => ({ ...older, url: older.url.replace('gw@', `${role}@`) });
    expect(await failureOf(() => open(as('looker'), ada.marks).intend(another()))).toMatchObject({
      code: 'ledger-restored',
    });
    expect((await findGap(serverFor(older))).doubts).toEqual([]);
    const owner = serverFor(older);
    await makeLedger(owner, SCHEMA);
    await cluster.query('postgres', 'CREATE ROLE teller LOGIN');
    await makeOperator(owner, 'teller');
    await failureOf(() => open(as('teller'), ada.marks).intend(another()));
    expect((await findGap(owner)).doubts).toMatchObject([{ told_by: 'ada on ada (role teller)' }]);
    const teller = serverFor(as('teller'));
    for (const sql of [
      'DELETE FROM gw.doubts',
      'UPDATE gw.doubts SET accepted_at = now()',
      "UPDATE gw.doubts SET entry = 'x'",
      "INSERT INTO gw.doubts (reason, entered_by) VALUES ('missing', 'ben')",
      "INSERT INTO gw.doubts (reason, accepted_at) VALUES ('missing', now())",
      'TRUNCATE gw.doubts',
    ])
      expect((await failureOf(() => teller.run(sql))).kind, sql).toBe('guard');
    await expect(failureOf(() => acceptAll(teller))).resolves.toMatchObject({ kind: 'guard' });
  });

  test('sees that a dump was restored even if nobody has read what is missing', async () => {
    const database = await cluster.database();
    await recorded(open(database, machine().marks), another());
    const restored = await copyOf(database, { isDump: true });
    const { message } = await failureOf(() => open(restored, machine().marks).intend(another()));
    expect(message).toMatch(/on another server or in another database/);
    await acceptAll(serverFor(restored));
    await recorded(open(restored, machine().marks), another());
  });

  const OF = (account: string) => ({ ...another(), account });

  test('keeps two accounts with a ledger each apart', async () => {
    const [one, two, { marks }] = [await cluster.database(), await cluster.database(), machine()];
    for (let round = 0; round < 2; round++) {
      await recorded(open(one, marks), OF('live/one'));
      await recorded(open(two, marks), OF('live/two'));
    }
    expect(marks.all()).toHaveLength(2);
  });

  test('refuses a ledger that lacks what the account did in another one, and stops nobody else', async () => {
    const [old, empty, ada] = [await cluster.database(), await cluster.database(), machine()];
    await recorded(open(old, ada.marks), OF('live/one'));
    const ledger = open(empty, ada.marks);
    for (const ask of [
      () => ledger.intend(OF('live/one')),
      () => foreseen(ledger, OF('live/one'), { noDuplicate: true, noOverRefund: false }),
    ]) {
      const { code, message } = await failureOf(ask);
      expect(code).toBe('ledger-restored');
      expect(message).toMatch(/of the same account in another ledger/);
    }
    await recorded(ledger, OF('live/two'));
    await recorded(open(empty, machine().marks, 'ben'), OF('live/one'));
    await acceptAll(serverFor(empty));
    await recorded(ledger, OF('live/one'));
    // The way back is as far.
    expect(await failureOf(() => open(old, ada.marks).intend(OF('live/one')))).toMatchObject({
      code: 'ledger-restored',
    });
  });

  test('may send again after the owner accepts the loss, and notices the next one', async () => {
    const [database, ada, ben] = [await cluster.database(), machine(), machine()];
    const first = await recorded(open(database, ada.marks), another());
    const older = await copyOf(database);
    await recorded(open(database, ada.marks), another());
    await open(database, ben.marks, 'ben').list({ limit: 1 });
    const owner = serverFor(older);
    await open(older, ada.marks).list({ limit: 1 });
    const { doubts, since } = await findGap(owner);
    const [entry] = await open(older, undefined).entries([first]);
    expect(since).toBe(entry?.createdAt);
    const [mark] = ada.marks.all();
    expect(doubts).toMatchObject([{ entry: mark?.entry }]);
    expect(Date.parse(doubts[0]?.entry_at ?? '')).toBe(Date.parse(mark?.at ?? ''));
    await acceptAll(owner);
    await recorded(open(older, ada.marks), another());
    const oldest = await copyOf(older);
    await recorded(open(older, ben.marks, 'ben'), another());
    expect(ben.marks.all()).toHaveLength(1);
    await recorded(open(oldest, ada.marks), another());
    expect(await failureOf(() => open(oldest, ben.marks).intend(another()))).toMatchObject({
      code: 'ledger-restored',
    });
  });

  test('may send again after the owner accepts the loss of an entry that is of a later time', async () => {
    const [database, ada] = [await cluster.database(), machine()];
    await recorded(open(database, ada.marks), another());
    const older = await copyOf(database);
    // A copied entry has the time of another clock.
    await cluster.query(
      database.name,
      `INSERT INTO gw.money_requests (id, created_at, account, profile, environment, host, operation, body)
       SELECT 'f', now() + interval '1 year', account, profile, environment, host, operation, body
         FROM gw.money_requests`,
    );
    await open(database, ada.marks).list({ limit: 1 });
    expect(await failureOf(() => open(older, ada.marks).intend(another()))).toMatchObject({
      code: 'ledger-restored',
    });
    await acceptAll(serverFor(older));
    await recorded(open(older, ada.marks), another());
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
    for (const [n, amount] of [100, 90].entries())
      await ledger.remember([
        { ...PURCHASE_SEEN, amount, seenAt: `2026-01-0${n + 1}T00:00:00.000Z` },
      ]);
    const said = 'SELECT entry FROM gw.outcomes UNION ALL SELECT id FROM gw.sightings';
    expect(await cluster.query(database.name, said)).toHaveLength(2);
    const soon = new Date(Date.now() + 60_000).toISOString();
    expect(await ledger.prune(soon)).toEqual({ entries: 1, records: 1 });
    // Nothing is left of what was said of them either.
    expect(await cluster.query(database.name, said)).toEqual([]);
    await recorded(open(database, ada.marks), another());
    await open(database, undefined).forget(REFUND.profile);
    expect(await findRestored(onlooker(database, ada.marks))).toBeUndefined();
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
