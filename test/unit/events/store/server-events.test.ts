/** What the store of a team does as that of one machine, and what it does for several listeners. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { matcher } from '../../../../src/contract/webhooks/patterns.ts';
import type { StoredEvent } from '../../../../src/events/event.ts';
import type {
  EventFilter,
  EventStore,
  ForwardLeases,
} from '../../../../src/events/store/event-store.ts';
import { openServerEvents } from '../../../../src/events/store/server-events.ts';
import type { SqlEventStore } from '../../../../src/events/store/sql-event-store.ts';
import { transientEvent } from '../../../../src/events/store/transient-event.ts';
import { Failure } from '../../../../src/failure.ts';
import { makeOperator, makeRoles } from '../../../../src/store/ledger/roles.ts';
import { charge } from '../../../helpers/listener.ts';
import {
  Cluster,
  findPostgres,
  SUPERUSER,
  serverOf,
  type TestDatabase,
} from '../../../helpers/postgres.ts';
import { newEvent } from '../support.ts';
import { eventStoreCases } from './event-store-cases.ts';

type TeamEvents = SqlEventStore & { leases: ForwardLeases };

const programs = findPostgres();
const TO = 'http://app/';
const LEASED = { target: TO, limit: 100, isConfirming: false, held: [], ended: [] };

describe.skipIf(programs === undefined)('events on a server', () => {
  let cluster: Cluster;
  beforeAll(() => {
    cluster = new Cluster(programs as string);
  });
  afterAll(() => cluster.remove());

  async function open({ url }: TestDatabase, machine = 'one') {
    const store = (await openServerEvents(serverOf(url), machine)) as TeamEvents;
    onTestFinished(() => store.close());
    return store;
  }

  async function several(count: number) {
    const database = await cluster.database();
    const stores = await Promise.all(
      Array.from({ length: count }, (_, n) => open(database, `machine-${n}`)),
    );
    const ask = <Row>(sql: string, values?: unknown[]) =>
      cluster.query<Row>(database.name, sql, values);
    return { stores, ask };
  }

  eventStoreCases(() => {
    const database = cluster.database();
    return async () => open(await database);
  });

  test('an event says which machine received it', async () => {
    const { stores } = await several(2);
    for (const [n, store] of stores.entries()) await store.append([newEvent(charge(`P-${n}`))]);
    expect((await listed(stores[0]!)).map(({ machine }) => machine)).toEqual([
      'machine-1',
      'machine-0',
    ]);
  });

  test('the same deliveries to two listeners at once are one event each, and repetitions of it', async () => {
    const { stores, ask } = await several(3);
    const delivery = fc.record({
      purchase: fc.integer({ min: 1, max: 6 }),
      subscription: fc.integer({ min: 1, max: 3 }),
      isAnnounced: fc.boolean(),
    });
    const batch = fc.array(delivery, { minLength: 1, maxLength: 6 });
    const batches = fc.array(fc.tuple(fc.nat({ max: 2 }), batch), { minLength: 2, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(batches, async (given) => {
        await ask('TRUNCATE gw.events, gw.event_sources');
        const appended = await Promise.all(
          given.map(async ([n, deliveries]) => {
            const events = deliveries.map(eventOf);
            return { events, kept: await stores[n]!.append(events) };
          }),
        );
        for (const { kept } of appended)
          expect(kept.map(({ id }) => id)).toEqual(kept.map(({ id }) => id).toSorted(byNumber));
        const all = (await listed(stores[0]!)).toReversed();
        expect(all).toHaveLength(given.flatMap(([, deliveries]) => deliveries).length);
        expect(all.map(({ duplicateOf }) => duplicateOf)).toEqual(inOrder(all));
      }),
      { numRuns: 25 },
    );
  });
  test('one identity in two sources at once is one event, and a repetition', async () => {
    const database = await cluster.database();
    const server = serverOf(database.url);
    const one = await openServerEvents(server, 'one');
    onTestFinished(() => one.close());
    const transaction = server.transaction.bind(server);
    let written: () => void = () => undefined;
    let commit: () => void = () => undefined;
    const isWritten = new Promise<void>((resolve) => (written = resolve));
    const mayCommit = new Promise<void>((resolve) => (commit = resolve));
    server.transaction = (work) =>
      transaction(async (run) => {
        const result = await work(run);
        written();
        await mayCommit;
        return result;
      });
    onTestFinished(() => commit());
    const same = { identity: 'the same' };
    const first = one.append([newEvent(charge('P-1', { subscription: 'S-1' }), same)]);
    await isWritten;
    const second = (await open(database)).append([
      newEvent(charge('P-1', { subscription: 'S-2' }), same),
    ]);
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    await expect.poll(() => cluster.query(database.name, waiting)).toHaveLength(1);
    commit();
    const [kept, repeated] = await Promise.all([first, second]);
    expect(kept).toMatchObject([{ duplicateOf: null }]);
    expect(repeated).toMatchObject([{ duplicateOf: kept[0]?.id }]);
  });

  test('an operator receives and passes on, and forgets nothing', async () => {
    const database = await cluster.database();
    const owner = serverOf(database.url);
    onTestFinished(() => owner.close());
    await makeRoles(owner);
    await owner.run('CREATE ROLE ada LOGIN');
    await makeOperator(owner, 'ada');
    const store = await open({ ...database, url: database.url.replace(`${SUPERUSER}@`, 'ada@') });
    const waiting = { state: 'waiting', reason: '' } as const;
    const event = newEvent(charge('P-1'), { forwardTo: TO, verification: waiting });
    await store.append([transientEvent(event), newEvent(charge('P-2')), newEvent(charge('P-2'))]);
    await store.verify(2, { state: 'contradicted', reason: 'id' });
    const [taken] = await store.leases.claim({ ...LEASED, isConfirming: true });
    expect(taken).toMatchObject({ id: 1 });
    expect(await store.leases.renew(TO, [taken!.source])).toBe(true);
    await store.settleForwards([{ target: TO, id: 1, state: 'done', attempts: 1, error: null }]);
    expect(await store.waiting(TO)).toEqual([]);
    expect(await listed(store)).toHaveLength(3);
    await expect(store.prune('2027-01-01')).rejects.toMatchObject({ code: 'ledger-not-permitted' });
  });

  test('a pattern fits what it fits elsewhere', async () => {
    const { stores } = await several(1);
    const part = fc.constantFrom('*', 'a', 'b', '%', '_', '\\', '?', '[', ':');
    const text = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(''));
    const names = fc.sample(text, 40).map((name) => name.replaceAll('*', 'ab'));
    await stores[0]!.append(names.map((event) => newEvent('{}', { event })));
    await fc.assert(
      fc.asyncProperty(text, async (pattern) => {
        const found = await listed(stores[0]!, { events: [pattern] });
        const wanted = names.filter(matcher([pattern])).toReversed();
        expect(found.map(({ event }) => event)).toEqual(wanted);
      }),
      { numRuns: 40 },
    );
  });

  test('what was kept though its answer was lost is kept once', async () => {
    const database = await cluster.database();
    const server = serverOf(database.url);
    const store = await openServerEvents(server, 'one');
    onTestFinished(() => store.close());
    let isLost = true;
    const transaction = server.transaction.bind(server);
    server.transaction = async (work) => {
      const result = await transaction(work);
      if (!isLost) return result;
      isLost = false;
      throw new Failure('guard', 'The connection was lost.', { code: 'ledger-lost', next: '' });
    };
    const events = ['P-1', 'P-2', 'P-1'].map((id) => newEvent(charge(id)));
    const kept = [
      { id: 1, duplicateOf: null },
      { id: 2, duplicateOf: null },
      { id: 3, duplicateOf: 1 },
    ];
    expect(await store.append(events)).toEqual(kept);
    expect(await listed(store)).toHaveLength(3);
  });

  test('what was lost before it was kept is kept the second time', async () => {
    const database = await cluster.database();
    const server = serverOf(database.url);
    const store = await openServerEvents(server, 'one');
    onTestFinished(() => store.close());
    let isLost = true;
    const transaction = server.transaction.bind(server);
    server.transaction = (work) =>
      transaction(async (run) => {
        const result = await work(run);
        if (isLost) {
          isLost = false;
          await run('SELECT pg_terminate_backend(pg_backend_pid())');
        }
        return result;
      });
    const [kept] = await store.append([newEvent(charge('P-1'))]);
    expect(kept).toEqual({ id: 2, duplicateOf: null });
  });

  describe('passing on', () => {
    const done = { target: TO, state: 'done', attempts: 1, error: null } as const;
    const waitingAt = (purchases: readonly string[], subscription: string) =>
      purchases.map((id) => newEvent(charge(id, { subscription }), { forwardTo: TO }));
    const idsOf = (events: readonly { id: number }[]) => events.map(({ id }) => id);

    test('is for the one that takes a source, until it lets go of it', async () => {
      const { stores } = await several(2);
      const [one, other] = stores as [TeamEvents, TeamEvents];
      await one.append([...waitingAt(['P-1', 'P-2'], 'S-1'), ...waitingAt(['P-3'], 'S-2')]);
      expect(idsOf(await one.leases.claim({ ...LEASED, limit: 2 }))).toEqual([1, 2]);
      expect(idsOf(await other.leases.claim(LEASED))).toEqual([3]);
      expect(await one.leases.claim({ ...LEASED, held: ['subscription S-1'] })).toEqual([]);
      // What comes of a source that somebody has is for that one.
      await other.append(waitingAt(['P-4'], 'S-1'));
      expect(await other.leases.claim({ ...LEASED, held: ['subscription S-2'] })).toEqual([]);
      await one.settleForwards([1, 2].map((id) => ({ ...done, id })));
      const ended = ['subscription S-1'];
      expect(await one.leases.claim({ ...LEASED, limit: 0, ended })).toEqual([]);
      expect(idsOf(await other.leases.claim({ ...LEASED, held: ['subscription S-2'] }))).toEqual([
        4,
      ]);
    });

    test('goes over to another when the time of one is over, and not before', async () => {
      const database = await cluster.database();
      const at = (time: string) =>
        cluster.query(
          database.name,
          `CREATE OR REPLACE FUNCTION clock.now() RETURNS timestamptz LANGUAGE sql STABLE
             AS $$ SELECT timestamptz '2026-03-10 09:30:${time}+00' $$`,
        );
      await cluster.query(database.name, 'CREATE SCHEMA clock');
      await cluster.query(
        database.name,
        `ALTER DATABASE ${database.name} SET search_path = clock, pg_catalog, public`,
      );
      await at('00');
      const [one, other] = [await open(database), await open(database)];
      await one.append(waitingAt(['P-1', 'P-2'], 'S-1'));
      const held = ['subscription S-1'];
      expect(idsOf(await one.leases.claim(LEASED))).toEqual([1, 2]);
      await at('10');
      expect(await one.leases.renew(TO, held)).toBe(true);
      await at('24.9');
      expect(await other.leases.claim(LEASED)).toEqual([]);
      await at('25');
      expect(await one.leases.renew(TO, held)).toBe(false);
      expect(idsOf(await other.leases.claim(LEASED))).toEqual([1, 2]);
      expect(await one.leases.claim(LEASED)).toEqual([]);
      // One that lost its source says nothing any more that counts, but that an event is done with.
      await one.settleForwards([{ ...done, id: 1 }]);
      await one.settleForwards([{ ...done, id: 1, state: 'waiting', attempts: 9 }]);
      expect(idsOf(await other.waiting(TO))).toEqual([2]);
    });

    test('is never for two at once, whoever asks when', async () => {
      const { stores, ask } = await several(3);
      for (let round = 0; round < 5; round++) {
        await ask('TRUNCATE gw.events, gw.event_sources, gw.event_forwards, gw.event_leases');
        const sources = Array.from({ length: 8 }, (_, n) => `S-${round}-${n}`);
        await stores[0]!.append(
          sources.flatMap((source) => waitingAt([`${source}-1`, `${source}-2`], source)),
        );
        const taken = await Promise.all(
          stores.flatMap((store) =>
            [5, 7, 100].map(async (limit) => ({
              store,
              taken: await store.leases.claim({ ...LEASED, limit }),
            })),
          ),
        );
        const holders = new Map<string, Set<unknown>>();
        for (const { store, taken: events } of taken)
          for (const { source } of events)
            holders.set(source, (holders.get(source) ?? new Set()).add(store));
        expect(holders.size).toBe(8);
        expect([...holders.values()].every(({ size }) => size === 1)).toBe(true);
      }
    });

    test('takes what is not confirmed only where that is asked for', async () => {
      const { stores } = await several(1);
      const [store] = stores as [TeamEvents];
      await store.append(
        ['waiting', 'verified'].flatMap((state) =>
          waitingAt([state], state).map((event) => ({
            ...event,
            verification: { state: state as 'waiting' | 'verified', reason: '"state":"verified"' },
          })),
        ),
      );
      expect(idsOf(await store.leases.claim(LEASED))).toEqual([2]);
      expect(idsOf(await store.leases.claim({ ...LEASED, isConfirming: true }))).toEqual([1, 2]);
    });

    test('leaves nothing of an event that is only passing', async () => {
      const { stores } = await several(1);
      const [store] = stores as [TeamEvents];
      const [first, second] = waitingAt(['P-1', 'P-2'], 'S-1').map(transientEvent);
      await store.append([first!, second!]);
      await Promise.all([
        store.settleForwards([{ ...done, id: 1, state: 'waiting' }]),
        store.settleForwards([{ ...done, id: 2 }]),
      ]);
      expect((await store.find(1))?.body.length).toBeGreaterThan(0);
      expect(await store.find(2)).toMatchObject({ headers: [], body: new Uint8Array() });
    });
  });
});

const byNumber = (a: number, b: number) => a - b;

async function listed(
  store: EventStore,
  filter: Partial<EventFilter> = {},
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const event of store.list({ limit: 10_000, ...filter })) events.push(event);
  return events;
}

function eventOf({ purchase, subscription, isAnnounced }: Delivered) {
  if (!isAnnounced) return newEvent(charge(`P-${purchase}`, { subscription: `S-${subscription}` }));
  const payload = [{ id: `S-${subscription}`, frequency: 'Daily' }];
  return newEvent({ event: 'charge:pending', payload });
}

interface Delivered {
  purchase: number;
  subscription: number;
  isAnnounced: boolean;
}

/** @returns what each event repeats when they are kept one after the other in this order */
function inOrder(events: readonly StoredEvent[]): (number | null)[] {
  const lasting = new Map<string, number>();
  const latest = new Map<string, { id: number; identity: string }>();
  return events.map(({ id, event, source, identity }) => {
    const last = latest.get(source);
    const isAnnounced = event === 'charge:pending';
    const known = isAnnounced ? undefined : lasting.get(identity);
    const earlier = isAnnounced && last?.identity === identity ? last.id : known;
    if (earlier !== undefined) return earlier;
    latest.set(source, { id, identity });
    if (!isAnnounced) lasting.set(identity, id);
    return null;
  });
}
