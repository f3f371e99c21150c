/** Promises of a shared ledger about its transactions and its data, tried with a real server. */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Ledger } from '../../../../src/journal/ledger.ts';
import { openPostgresLedger } from '../../../../src/journal/postgres/postgres-ledger.ts';
import { makeLedger, makeOperator, requireJournal } from '../../../../src/store/ledger/init.ts';
import { LEDGER_FORM } from '../../../../src/store/ledger/postgres-schema.ts';
import { startCuttingProxy } from '../../../helpers/cutting-proxy.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { REFUND } from '../../../helpers/money-request.ts';
import {
  acceptAll,
  Cluster,
  findPostgres,
  SCHEMA,
  serverOf,
  type TestDatabase,
} from '../../../helpers/postgres.ts';
import { recorded } from '../../../helpers/recorded.ts';

const programs = findPostgres();
const DONE = { state: 'done', status: 200, recordId: 'R-9', message: null } as const;
const GUARDED = { noDuplicate: true, noOverRefund: true };

function aSignal() {
  const signal = { give: () => undefined as unknown, given: Promise.resolve() };
  signal.given = new Promise<void>((resolve) => {
    signal.give = resolve as () => unknown;
  });
  return signal;
}

describe.skipIf(programs === undefined)('a ledger on a server', () => {
  const cluster = new Cluster(programs);
  afterAll(() => cluster.remove());
  let people = 0;

  function open(url: string, operator = 'ada'): Ledger {
    const clock = { now: () => new Date(), uptimeMs: () => performance.now() };
    const author = { operator, machine: 'desk' };
    const ledger = openPostgresLedger(serverOf(url), { author, clock });
    onTestFinished(() => ledger.close());
    return ledger;
  }

  function serverFor({ url }: TestDatabase, role = 'gw') {
    const server = serverOf(url.replace('gw@', `${role}@`));
    onTestFinished(() => server.close());
    return server;
  }

  async function anOperator(database: TestDatabase): Promise<string> {
    const name = `person${++people}`;
    await cluster.query('postgres', `CREATE ROLE ${name} LOGIN`);
    const owner = serverFor(database);
    await makeLedger(owner, SCHEMA);
    await makeOperator(owner, name);
    return name;
  }

  test.each([
    ['an older', LEDGER_FORM - 1, 'ledger-older'],
    ['a newer', LEDGER_FORM + 1, 'ledger-newer'],
  ])('that gets %s form while it is used stops all requests', async (_, form, code) => {
    const database = await cluster.database();
    const ledger = open(database.url);
    await recorded(ledger, REFUND);
    await cluster.query(database.name, `UPDATE gw.ledger SET form = ${form}`);
    const failure = await failureOf(() => ledger.intend({ ...REFUND, reference: 'R-2' }));
    expect(failure).toMatchObject({ kind: 'guard', code });
    expect(failure.sent).toBe(false);
    expect(await cluster.query(database.name, 'SELECT 1 FROM gw.money_requests')).toHaveLength(1);
  });

  test("has an intent on the server's disk, whatever the server's settings", async () => {
    const database = await cluster.database();
    await cluster.query(
      database.name,
      `CREATE TABLE public.levels (level text);
       CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS
         'BEGIN INSERT INTO public.levels VALUES (current_setting(''synchronous_commit'')); RETURN NEW; END';
       CREATE TRIGGER look BEFORE INSERT ON gw.money_requests FOR EACH ROW EXECUTE FUNCTION look();
       ALTER DATABASE ${database.name} SET synchronous_commit = off`,
    );
    await recorded(open(database.url), REFUND);
    await cluster.query(
      database.name,
      `ALTER DATABASE ${database.name} SET synchronous_commit = remote_apply`,
    );
    await recorded(open(database.url), { ...REFUND, reference: 'R-2' });
    expect(await cluster.query(database.name, 'SELECT level FROM public.levels')).toEqual([
      { level: 'on' },
      { level: 'remote_apply' },
    ]);
  });

  test.each([
    ['another server', "system_id = '1'"],
    ['a standby that has taken over', "timeline = '00000000'"],
  ])('that is found on %s stops all requests until its owner accepts it', async (_, change) => {
    const database = await cluster.database();
    const role = await anOperator(database);
    const ledger = open(database.url.replace('gw@', `${role}@`));
    const id = await recorded(ledger, REFUND);
    await cluster.query(database.name, `UPDATE gw.ledger SET ${change}`);
    const failure = await failureOf(() => ledger.intend({ ...REFUND, reference: 'R-2' }));
    expect(failure).toMatchObject({ kind: 'guard', code: 'ledger-restored' });
    expect(failure.sent).toBe(false);
    expect(failure.next).toContain('--accept-restore');
    // An earlier request still gets its outcome.
    await ledger.settle(id, DONE);
    await acceptAll(serverFor(database));
    await recorded(ledger, { ...REFUND, reference: 'R-2' });
  });

  test('goes on without a stalled machine that locks a target', async () => {
    const database = await cluster.database();
    let questions = 0;
    const [stalls, locked] = [aSignal(), aSignal()];
    const proxy = await startCuttingProxy(database.url, {
      async beforeMessage({ from, type }) {
        if (from !== 'gw' || !['Q', 'P'].includes(type)) return;
        // Queries in order: the form of the ledger, BEGIN with locks, the known facts.
        if (++questions !== 3) return;
        locked.give();
        await stalls.given;
      },
    });
    onTestFinished(() => proxy.close());
    const first = open(proxy.url, 'ada').intend(REFUND, GUARDED);
    await locked.given;
    expect(await open(database.url, 'ben').intend(REFUND, GUARDED)).toMatchObject({
      kind: 'recorded',
    });
    stalls.give();
    expect(await first).toMatchObject({ kind: 'duplicate', of: { operator: 'ben' } });
  }, 30_000);

  test('prefers the answer of a request to a simultaneous statement of a person', async () => {
    const database = await cluster.database();
    const sender = open(database.url, 'ben');
    const id = await recorded(sender, REFUND);
    await sender.settle(id, { ...DONE, state: 'unknown' });
    let questions = 0;
    const proxy = await startCuttingProxy(database.url, {
      async beforeMessage({ from, type }) {
        if (from !== 'gw' || !['Q', 'P'].includes(type)) return;
        // Queries in order: the form of the ledger, BEGIN, the entry, its outcomes.
        if (++questions === 4) await sender.settle(id, DONE);
      },
    });
    onTestFinished(() => proxy.close());
    const said = open(proxy.url, 'ada').resolve(id, { ...DONE, state: 'not-done' }, 'said');
    expect(await said).toBe(false);
    expect(questions).toBeGreaterThan(3);
    expect(await sender.find(id)).toMatchObject([{ state: 'done', resolution: null }]);
  });

  describe('as an audit trail', () => {
    async function refunded() {
      const database = await cluster.database();
      const role = await anOperator(database);
      const server = serverFor(database, role);
      const ledger = open(database.url.replace('gw@', `${role}@`), 'ben');
      const id = await recorded(ledger, REFUND);
      await ledger.settle(id, DONE);
      return { server, ledger, id, role, owner: serverFor(database) };
    }

    test('stores each outcome with the role that wrote it', async () => {
      const { ledger, role, owner } = await refunded();
      const id = await recorded(ledger, { ...REFUND, reference: 'R-2' });
      await ledger.settle(id, { ...DONE, state: 'unknown' });
      await ledger.resolve(id, { ...DONE, state: 'not-done' }, 'said');
      await ledger.settle(id, DONE);
      const rows = await owner.run(
        'SELECT state, resolution, entered_by FROM gw.outcomes WHERE entry = $1 ORDER BY number',
        [id],
      );
      expect(rows).toEqual([
        { state: 'unknown', resolution: null, entered_by: role },
        { state: 'not-done', resolution: 'said', entered_by: role },
        { state: 'done', resolution: null, entered_by: role },
      ]);
      const [entry] = await owner.run('SELECT operator, entered_by FROM gw.money_requests LIMIT 1');
      expect(entry).toEqual({ operator: 'ben', entered_by: role });
    });

    test('lets no operator name another role or time, or change an entry', async () => {
      const { server } = await refunded();
      const columns = 'id, created_at, account, profile, environment, host, operation, body';
      const values = "'x', now(), 'a', 'p', 'live', 'h', 'refund create', '{}'";
      for (const sql of [
        `INSERT INTO gw.money_requests (${columns}, entered_by) VALUES (${values}, 'eve')`,
        `INSERT INTO gw.money_requests (${columns}, entered_at) VALUES (${values}, '2020-01-01')`,
        "INSERT INTO gw.outcomes (entry, state, entered_by) VALUES ('x', 'done', 'eve')",
        "UPDATE gw.outcomes SET state = 'not-done'",
        'DELETE FROM gw.outcomes',
      ])
        expect(await failureOf(() => server.run(sql))).toMatchObject({
          code: 'ledger-not-permitted',
        });
    });

    test('is separate for each database', async () => {
      const role = await anOperator(await cluster.database());
      const other = await cluster.database();
      await makeLedger(serverFor(other), SCHEMA);
      const asked = serverFor(other, role).run('SELECT 1 FROM gw.money_requests');
      expect(await failureOf(() => asked)).toMatchObject({ code: 'ledger-not-permitted' });
    });

    test('may be required for all money requests', async () => {
      const { ledger, owner, server } = await refunded();
      expect(await ledger.requiresJournal()).toBe(false);
      await requireJournal(owner, true);
      expect(await ledger.requiresJournal()).toBe(true);
      expect(await failureOf(() => requireJournal(server, false))).toMatchObject({
        code: 'ledger-not-permitted',
      });
    });
  });

  test('of another form is not changed', async () => {
    const database = await cluster.database();
    await cluster.query(database.name, 'UPDATE gw.ledger SET form = 7');
    const failure = await failureOf(() => makeLedger(serverFor(database), SCHEMA));
    expect(failure).toMatchObject({ kind: 'guard', code: 'ledger-older' });
    expect(failure.message).toContain('was made by a development version of gw');
    const found = await cluster.query(database.name, 'SELECT id, form FROM gw.ledger');
    expect(found).toEqual([{ id: expect.any(String), form: 7 }]);
  });
});
