/** The ledger that a team shares: what only several machines can try. */
import fc from 'fast-check';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { Failure } from '../../../../src/failure.ts';
import { createFiles } from '../../../../src/host/files/files.ts';
import type { IntentVerdict, Ledger, MoneyRequest } from '../../../../src/journal/ledger.ts';
import {
  type Delivered,
  KeptOutcomes,
  OutcomeOutbox,
} from '../../../../src/journal/outcome-outbox.ts';
import {
  openPostgresLedger,
  type PostgresLedgerOptions,
} from '../../../../src/journal/postgres/postgres-ledger.ts';
import { isRunning } from '../../../../src/journal/sending.ts';
import { learnDue } from '../../../../src/requests/known/learn-due.ts';
import { makeLedger, makeOperator } from '../../../../src/store/ledger/init.ts';
import { outcomesPath } from '../../../../src/store/paths.ts';
import type { Server } from '../../../../src/store/postgres/server.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { AT, REFUND } from '../../../helpers/money-request.ts';
import {
  Cluster,
  findPostgres,
  SCHEMA,
  serverOf,
  type TestDatabase,
} from '../../../helpers/postgres.ts';
import { standingTime } from '../../../helpers/postgres-time.ts';
import { recorded } from '../../../helpers/recorded.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';
import { MACHINE, START } from '../ledger-cases.ts';

const programs = findPostgres();

const DONE = { state: 'done', status: 200, recordId: null, message: null } as const;
const GUARDED = { noDuplicate: true, noOverRefund: true };

/** Stands. */
function standingClock() {
  const clock = {
    time: Date.parse(START),
    now: () => new Date(clock.time),
    uptimeMs: () => clock.time,
  };
  return clock satisfies PostgresLedgerOptions['clock'];
}

describe.skipIf(programs === undefined)('on a server', () => {
  const cluster = new Cluster(programs);
  afterAll(() => cluster.remove());

  function open(
    { url }: TestDatabase,
    operator = 'first',
    { clock = standingClock() as PostgresLedgerOptions['clock'], server = serverOf(url) } = {},
  ): Ledger {
    const author = { operator, machine: MACHINE };
    const ledger = openPostgresLedger(server, { author, clock });
    onTestFinished(() => ledger.close());
    return ledger;
  }

  const purchase = (id: string, amount: number) => ({
    ...{ ...AT, kind: 'purchase' as const, id, reference: null, name: null, lastFour: null },
    ...{ amount, seenBy: 'purchase get', seenAt: START, record: { id, amount } },
  });
  const refund = (of: string, change: Partial<MoneyRequest>): MoneyRequest => ({
    ...REFUND,
    target: of,
    refundOf: of,
    ...change,
  });
  const kinds = (results: readonly IntentVerdict[]) => results.map(({ kind }) => kind).sort();

  test('only one of two operators refunds the rest of a purchase, a thousand times', async () => {
    const database = await cluster.database();
    const [ada, ben] = [open(database, 'ada'), open(database, 'ben')];
    const ids = Array.from({ length: 1_000 }, (_, n) => `P-${n}`);
    await ada.remember(ids.map((id) => purchase(id, 100)));
    const race = (ledger: Ledger, id: string, reference: string) =>
      ledger.intend(refund(id, { reference, amount: 100 }), GUARDED);
    for (let at = 0; at < ids.length; at += 50) {
      const some = ids.slice(at, at + 50);
      const [ofAda, ofBen] = await Promise.all([
        Promise.all(some.map((id) => race(ada, id, 'A'))),
        Promise.all(some.toReversed().map((id) => race(ben, id, 'B'))),
      ]);
      const pairs = some.map((_, n) => kinds([ofAda[n]!, ofBen.at(-1 - n)!]));
      expect(pairs).toEqual(some.map(() => ['over-refund', 'recorded']));
    }
  }, 120_000);

  test.each([
    ["default_transaction_isolation = 'repeatable read'"],
    ["default_transaction_isolation = 'serializable'"],
    ["datestyle = 'SQL, DMY'"],
    ['extra_float_digits = -15'],
    ["search_path = ''"],
  ])('only one of two refunds of the rest of a purchase succeeds, with %s', async (setting) => {
    const database = await cluster.database();
    await cluster.query('postgres', `ALTER DATABASE ${database.name} SET ${setting}`);
    const [ada, ben] = [open(database, 'ada'), open(database, 'ben')];
    const ids = Array.from({ length: 50 }, (_, n) => `P-${n}`);
    await ada.remember(ids.map((id) => purchase(id, 1_500)));
    for (const id of ids) {
      const both = [ada, ben].map((ledger, n) =>
        ledger.intend(refund(id, { reference: `R-${n}`, amount: 1_440 }), GUARDED),
      );
      expect(kinds(await Promise.all(both))).toEqual(['over-refund', 'recorded']);
    }
    const rest = (amount: number) => refund('P-1', { reference: 'R-2', amount });
    expect(await ben.intend(rest(61), GUARDED)).toMatchObject({ kind: 'over-refund' });
    expect(await ben.intend(rest(60), GUARDED)).toMatchObject({ kind: 'recorded' });
  });

  test('a role that may only read sends nothing and says so', async () => {
    const database = await cluster.database();
    const setting = 'default_transaction_read_only = on';
    await cluster.query('postgres', `ALTER DATABASE ${database.name} SET ${setting}`);
    const failure = await failureOf(() => open(database).intend(REFUND, GUARDED));
    expect(failure).toMatchObject({ code: 'ledger-read-only' });
    expect(failure.sent).toBe(false);
  });

  test('several operators together never refund more than was paid', async () => {
    const database = await cluster.database();
    const ledgers = ['ada', 'ben', 'eve'].map((name) => open(database, name));
    let runs = 0;
    const tries = fc.array(fc.record({ by: fc.nat(2), amount: fc.integer({ min: 1, max: 60 }) }), {
      minLength: 2,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(tries, async (all) => {
        const id = `P-${runs++}`;
        await ledgers[0]?.remember([purchase(id, 100)]);
        const became = await Promise.all(
          all.map(({ by, amount }, n) =>
            ledgers[by]!.intend(refund(id, { amount, reference: `R-${n}` }), GUARDED),
          ),
        );
        const given = all.filter((_, n) => became[n]?.kind === 'recorded');
        const total = given.reduce((sum, { amount }) => sum + amount, 0);
        expect(total).toBeLessThanOrEqual(100);
        // Each refused refund was too much, and each accepted one is recorded.
        for (const [n, one] of became.entries())
          if (one.kind !== 'recorded') expect(total + all[n]!.amount).toBeGreaterThan(100);
        const balances = await ledgers[1]?.balances(AT, [id]);
        expect(balances?.get(id)).toMatchObject({ uncertain: total });
      }),
      { numRuns: 25 },
    );
  }, 60_000);

  test('an impossible lease comes from a clock that was set back and means nothing', async () => {
    const database = await cluster.database();
    const time = await standingTime(cluster, database, START);
    const [ada, ben] = [open(database, 'ada'), open(database, 'ben')];
    const intended = await ada.intend(REFUND);
    if (intended.kind !== 'recorded') throw new Error(intended.kind);
    const { id } = intended;
    expect(await ben.senderOf(id)).toMatchObject({ isRunning: true });
    await time.pass(-400 * 24 * 60 * 60_000);
    expect(await ben.find(id)).toMatchObject([{ state: 'sending' }]);
    expect(await ben.senderOf(id)).toMatchObject({ isRunning: false });
    expect(await ben.resolve(id, { ...DONE, state: 'not-done' }, 'said', true)).toBe(true);
  });

  describe('an entry that is being sent', () => {
    async function timed() {
      const database = await cluster.database();
      const { pass } = await standingTime(cluster, database, START);
      const clock = standingClock();
      const passAll = async (ms: number) => {
        clock.time += ms;
        await pass(ms);
      };
      return { database, clock, ledger: open(database, 'ada', { clock }), pass: passAll };
    }
    const recorded = async (ledger: Ledger, change: Partial<MoneyRequest> = {}) => {
      const became = await ledger.intend({ ...REFUND, ...change });
      if (became.kind !== 'recorded') throw new Error(became.kind);
      return became;
    };
    const stateOf = async (ledger: Ledger, id: string) => (await ledger.find(id))[0]?.state;

    test('is unknown to everybody after its lease and can be resolved', async () => {
      const { database, ledger, pass } = await timed();
      const other = open(database, 'ben');
      const { id } = await recorded(ledger);
      await pass(29_000);
      expect(await stateOf(other, id)).toBe('sending');
      expect(await other.resolve(id, { ...DONE, state: 'not-done' }, 'said')).toBe(false);
      await pass(2_000);
      const message = 'gw ended before the answer came';
      const [unknown] = await other.list({ unresolved: true, limit: 9 });
      expect(unknown).toMatchObject({ id, state: 'unknown', message });
      expect(await other.intend(REFUND, GUARDED)).toMatchObject({ of: { state: 'unknown' } });
      expect(await other.resolve(id, { ...DONE, state: 'not-done' }, 'said')).toBe(true);
      expect(await other.find(id)).toMatchObject([{ resolvedBy: 'ben', operator: 'ada', message }]);
    });

    test('may take longer than its lease, and its outcome is written', async () => {
      const { database, ledger, pass } = await timed();
      const other = open(database, 'ben');
      const { id } = await recorded(ledger);
      await pass(60_000);
      expect(await stateOf(other, id)).toBe('unknown');
      expect(await stateOf(ledger, id)).toBe('unknown');
      await ledger.settle(id, DONE);
      expect(await stateOf(other, id)).toBe('done');
    });

    test('is not sent after its process slept, and the next request is another entry', async () => {
      const { database, clock, ledger, pass } = await timed();
      const other = open(database, 'ben');
      const { id, lease } = await recorded(ledger);
      const mayBeSent = (given = lease) => given && isRunning(given, clock);
      expect(mayBeSent()).toBe(true);
      await pass(31_000);
      expect(mayBeSent()).toBe(false);
      const next = await recorded(ledger, { reference: 'R-2' });
      expect(mayBeSent(next.lease)).toBe(true);
      expect(mayBeSent()).toBe(false);
      expect(await stateOf(other, id)).toBe('unknown');
      expect(await stateOf(other, next.id)).toBe('sending');
      await ledger.settle(id, { ...DONE, state: 'not-sent' });
      expect(await stateOf(other, id)).toBe('not-sent');
    });
  });

  describe('a write with a lost answer', () => {
    const lost = () => new Failure('ledger-lost', 'The connection was lost.', 'Try again.');

    /** Loses the ends of transactions, before or after they are done. */
    function losing(url: string, when: readonly ('before' | 'after' | 'never')[]): Server {
      const server = serverOf(url);
      const transaction = server.transaction.bind(server);
      const left = [...when];
      server.transaction = (async (...args: Parameters<typeof transaction>) => {
        const loss = left.shift();
        // The connection undoes what the transaction wrote.
        const undone = async (...[run, begun]: Parameters<(typeof args)[0]>) => {
          await args[0](run, { ...begun, commit: async () => undefined });
          throw new Failure('ledger-cut', 'It is undone.', '');
        };
        if (loss === 'before')
          return transaction(undone, args[1]).catch((error) => {
            throw error instanceof Failure ? lost() : error;
          });
        const result = await transaction(...args);
        if (loss === 'after') throw lost();
        return result;
      }) as Server['transaction'];
      return server;
    }

    test.each<['before' | 'after']>([['before'], ['after']])(
      'is looked up: a write that was lost %s it was done is stored once',
      async (when) => {
        const database = await cluster.database();
        const ledger = open(database, 'ada', { server: losing(database.url, [when]) });
        const became = await ledger.intend(REFUND, GUARDED);
        expect(became).toMatchObject({ kind: 'recorded' });
        expect(await ledger.list({ limit: 9 })).toMatchObject([
          { id: (became as { id: string }).id },
        ]);
      },
    );

    test('that cannot be looked up says that nothing was sent', async () => {
      const database = await cluster.database();
      const server = losing(database.url, Array(4).fill('after'));
      const failure = await open(database, 'ada', { server })
        .intend(REFUND)
        .catch((error) => error);
      expect(failure).toMatchObject({ kind: 'guard', code: 'ledger-lost' });
      expect(failure.sent).toBe(false);
    });
  });

  test('an outcome that arrives after the line was resolved and sent again is stored', async () => {
    const database = await cluster.database();
    const ledger = open(database);
    const line = {
      ...{ batch: 'b', line: 'l', occurrence: 1, siblings: [{ amount: 100, lines: 1 }] },
      ...{ among: 'all' as const, retries: 'none' as const },
    };
    const first = await ledger.intend(REFUND, { ...GUARDED, line });
    if (first.kind !== 'recorded') throw new Error(first.kind);
    await ledger.settle(first.id, { ...DONE, state: 'unknown' });
    await ledger.resolve(first.id, { ...DONE, state: 'not-done' }, 'said');
    expect(await ledger.intend(REFUND, { ...GUARDED, line })).toMatchObject({ kind: 'recorded' });
    await ledger.settle(first.id, DONE);
    expect(await ledger.find(first.id)).toMatchObject([{ state: 'done' }]);
  });

  test('the next process writes a stored outcome and reports it', async () => {
    const database = await cluster.database();
    const other = open(database, 'ben');
    const ids = await Promise.all(
      ['A', 'B', 'C'].map((reference) => recorded(other, { ...REFUND, reference })),
    );
    await other.settle(ids[1]!, { ...DONE, state: 'unknown' });
    await other.resolve(ids[1]!, { ...DONE, state: 'not-done' }, 'said');
    const files = createFiles({ HOME: temporaryDirectory() });
    const kept = new KeptOutcomes(files, outcomesPath(files));
    const [made] = await cluster.query<{ id: string }>(database.name, 'SELECT id FROM gw.ledger');
    const of = { ledger: made!.id, address: 'a/b', snapshots: [purchase('P-1', 1_000)] };
    for (const entry of [ids[0]!, ids[1]!, 'gone'])
      kept.keep({ ...of, entry, settlement: DONE, mayBeMissing: false });
    const told: Delivered[] = [];
    const outbox = new OutcomeOutbox(kept, 'a/b');
    const ledger = openPostgresLedger(serverOf(database.url), {
      ...{ author: { operator: 'ada', machine: MACHINE }, clock: standingClock(), outbox },
      onDelivered: async (delivered) => void told.push(delivered),
    });
    onTestFinished(() => ledger.close());
    const entries = await ledger.entries(ids);
    expect(entries.map(({ state }) => state)).toEqual(['done', 'done', 'sending']);
    expect(told).toMatchObject([{ late: [{ before: { id: ids[1] } }], lost: ['gone'] }]);
    expect(ledger.lost?.find('')).toMatchObject([{ entry: 'gone' }]);
    expect(await ledger.remembered({}, 9)).toHaveLength(1);
    const failure = await failureOf(() => ledger.intend({ ...REFUND, reference: 'D' }));
    expect(failure).toMatchObject({ kind: 'guard', code: 'ledger-lost-entry' });
    ledger.lost?.drop('gone');
    await recorded(ledger, { ...REFUND, reference: 'D' });
  });

  test('two machines that store one record at once keep the fields of both', async () => {
    const database = await cluster.database();
    const [ada, ben] = [open(database, 'ada'), open(database, 'ben')];
    const all = Array.from({ length: 50 }, (_, n) => purchase(`P-${n}`, 100));
    await Promise.all([
      ada.remember(all.map((seen) => ({ ...seen, name: 'Ada Byron' }))),
      ben.remember(all.map((seen) => ({ ...seen, lastFour: '4242' })).toReversed()),
    ]);
    for (const seen of await ada.remembered({}, 99))
      expect(seen).toMatchObject({ name: 'Ada Byron', lastFour: '4242' });
  });

  test('a ledger that a newer gw made is refused', async () => {
    const database = await cluster.database();
    await cluster.query(database.name, 'UPDATE gw.ledger SET form = 99');
    const failure = await open(database)
      .intend(REFUND)
      .catch((error) => error);
    expect(failure).toMatchObject({ code: 'ledger-newer' });
    expect(failure.sent).toBe(false);
  });

  test("an operator's rights suffice for everything except forgetting", async () => {
    const database = await cluster.database();
    const owner = serverOf(database.url);
    onTestFinished(() => owner.close());
    await makeLedger(owner, SCHEMA);
    await cluster.query('postgres', 'CREATE ROLE ann LOGIN');
    await makeOperator(owner, 'ann');
    const ledger = open({ ...database, url: database.url.replace('gw@', 'ann@') }, 'ann');
    await ledger.remember([purchase('P-1', 1_000)]);
    const line = {
      ...{ batch: 'b', line: 'l', occurrence: 1, siblings: [{ amount: 100, lines: 1 }] },
      ...{ among: 'all' as const, retries: 'any' as const },
    };
    for (const state of ['unknown', 'done'] as const) {
      const became = await ledger.intend(REFUND, { ...GUARDED, line });
      if (became.kind !== 'recorded') throw new Error(became.kind);
      await ledger.settle(became.id, { ...DONE, state }, [purchase('P-1', 1_000)]);
    }
    const [, first] = await ledger.list({ limit: 9 });
    expect(await ledger.resolve(first?.id ?? '', { ...DONE, state: 'not-done' }, 'said')).toBe(
      true,
    );
    await ledger.sql.write(() => learnDue(100));
    expect(await ledger.things.search({ text: 'R-1', limit: 9 })).toHaveLength(2);
    const refused = { code: 'ledger-not-permitted' };
    await expect(ledger.prune(START)).rejects.toMatchObject(refused);
    await expect(ledger.forget('sandbox')).rejects.toMatchObject(refused);
  });
});
