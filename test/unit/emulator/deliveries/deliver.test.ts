import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EVENT_PAYLOADS } from '../../../../src/contract/webhook-payloads.ts';
import { runInBackground } from '../../../../src/emulator/billing/advance.ts';
import { billStoredDay } from '../../../../src/emulator/billing/billing-run.ts';
import { tryLock } from '../../../../src/emulator/deliveries/deliver.ts';
import {
  listHooks,
  registerHook,
  removeHook,
  urlToShow,
} from '../../../../src/emulator/deliveries/hooks.ts';
import {
  type LoggedDelivery,
  listDeliveries,
  pruneLog,
} from '../../../../src/emulator/deliveries/queue.ts';
import { openState, resetState } from '../../../../src/emulator/state.ts';
import type { Store } from '../../../../src/emulator/store.ts';
import { createClock } from '../../../../src/host/create.ts';
import { firstRow, runSql } from '../../../../src/store/sql.ts';
import { CLOSED_ADDRESS } from '../../../helpers/hostile-server.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';
import { turnsOfTheLoop } from '../../../helpers/time-limit.ts';
import { advanceTo, openReceiver, seedOf } from '../support-billing.ts';

const clock = createClock();

function open(seed = seedOf({ ann: {} }), path = ':memory:'): Store {
  const store = openState({ path, clock, seed });
  onTestFinished(() => store.close());
  return store;
}

/** Oldest first. */
const logOf = (store: Store): LoggedDelivery[] =>
  store.read((tx) => listDeliveries(tx, { limit: 10_000 })).reverse();

const hook = (store: Store, url: string, more: { events?: string; temporary?: boolean } = {}) =>
  registerHook(store, { merchant: 'TEST', url, ...more });

describe('what is delivered', () => {
  test('each event is delivered in the form of section 6, with the mode of the store', async () => {
    const receiver = await openReceiver();
    const store = open(
      seedOf({
        ann: {},
        bob: { card: 'declined', frequency: 'Monthly' },
        cem: { expiry: '01/2026' },
      }),
    );
    hook(store, receiver.url);
    await advanceTo({ store, clock }, '2026-02-03T00:00:00Z');

    const first = (event: string) =>
      JSON.parse(receiver.received.find((delivery) => delivery.event === event)?.body ?? '{}');
    for (const [event, schema] of Object.entries(EVENT_PAYLOADS)) {
      const body = first(event);
      expect(Object.keys(body)).toEqual(['event', 'payload']);
      expect(body.payload).toHaveLength(1);
      expect(schema.safeParse(body.payload[0]).success).toBe(true);
    }
    const ann = {
      email: 'ann@example.com',
      first_name: 'ann',
      last_name: 'Example',
      reference: 'ann',
      id: expect.stringMatching(/^071-C-/),
    };
    const subscription = {
      id: expect.stringMatching(/^071-S-/),
      frequency: 'Daily',
      start_date: '2026-01-01',
      end_date: null,
      reference: 'sub-ann',
      customer: ann,
    };
    expect(first('charge:pending').payload[0]).toEqual(subscription);
    expect(first('charge:successful').payload[0]).toEqual({
      subscription,
      response: {
        successful: true,
        errors: [],
        test: true,
        response: expect.objectContaining({
          id: expect.stringMatching(/^071-P-/),
          amount: 1000,
          successful: true,
          source: 'Recurring',
        }),
      },
    });
    expect(first('charge:retry').payload[0]).toMatchObject({
      subscription: { last_status: 'Failed (1), Pending', reference: 'sub-bob' },
      response: {
        successful: false,
        response: { successful: false, settlement_date: null, source: 'Recurring' },
        errors: [],
      },
    });
    expect(first('charge:failed').payload[0].subscription.last_status).toBe('Failed (3), Aborted');
    expect(first('card:expired').payload[0]).toEqual({
      ...ann,
      email: 'cem@example.com',
      first_name: 'cem',
      reference: 'cem',
    });
    for (const { headers } of receiver.received) {
      expect(headers['x-service-mode']).toBe('Sandbox');
      expect(headers['content-type']).toBe('application/json');
    }
    expect(receiver.received.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual(
      logOf(store).map(({ id }) => id),
    );
  });

  test('a live store says so in the header and the payload', async () => {
    const receiver = await openReceiver();
    const store = open(seedOf({ ann: {} }, { environment: 'live' }));
    hook(store, receiver.url, { events: 'charge:successful' });
    await advanceTo({ store, clock }, '2026-01-02T00:00:00Z');
    const [delivery] = receiver.received;
    expect(delivery?.headers['x-service-mode']).toBe('Live');
    expect(JSON.parse(delivery?.body ?? '').payload[0].response.test).toBe(false);
  });

  test('a hook gets only its events of its merchant', async () => {
    const receiver = await openReceiver();
    const store = open();
    hook(store, receiver.url, { events: 'card:*, charge:succ*' });
    registerHook(store, { merchant: 'OTHER', url: receiver.url });
    await advanceTo({ store, clock }, '2026-01-03T00:00:00Z');
    expect(receiver.received.map(({ event }) => event)).toEqual([
      'charge:successful',
      'charge:successful',
    ]);
  });

  test('a username and password in the address are sent and not shown', async () => {
    const receiver = await openReceiver();
    const store = open();
    hook(store, receiver.url.replace('http://', 'http://us%40er:pass%20word@'));
    await advanceTo({ store, clock }, '2026-01-02T00:00:00Z');
    expect(receiver.received[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from('us@er:pass word').toString('base64')}`,
    );
    expect(urlToShow(listHooks(store)[0]?.url ?? '')).toBe(
      receiver.url.replace('http://', 'http://***@'),
    );
  });
});

describe('what counts as delivered', () => {
  test.each([200, 201, 202, 204, 299])('the answer %d counts as delivered', async (status) => {
    const receiver = await openReceiver((_, response) =>
      response.writeHead(status).end(status === 204 ? '' : 'thanks'),
    );
    const store = open();
    hook(store, receiver.url);
    await advanceTo({ store, clock }, '2026-01-02T00:00:00Z');
    expect(logOf(store).map(({ state, result, attempts }) => [state, result, attempts])).toEqual([
      ['delivered', String(status), 1],
      ['delivered', String(status), 1],
    ]);
  });

  test.each([300, 302, 304, 307, 400, 404, 500])(
    'the answer %d does not count as delivered',
    async (status) => {
      const receiver = await openReceiver((_, response) =>
        response.writeHead(status, { location: '/elsewhere' }).end(),
      );
      const store = open();
      hook(store, receiver.url);
      const days = await advanceTo({ store, clock }, '2026-01-02T00:00:00Z');
      const [first, second] = logOf(store);
      expect(first).toMatchObject({
        state: 'queued',
        result: String(status),
        attempts: 1,
        due_at: '2026-01-02T00:01:00.000Z',
      });
      expect(second).toMatchObject({ state: 'queued', attempts: 0, due_at: null });
      expect(days[0]).toMatchObject({ delivered: 0, failed: 1, abandoned: 0 });
      expect(receiver.received).toHaveLength(1);
    },
  );

  test('a reset connection and a refused one do not count as delivered', async () => {
    const resetting = await openReceiver((_, response) => response.destroy());
    const store = open();
    for (const url of [resetting.url, CLOSED_ADDRESS.href])
      hook(store, url, { events: 'charge:pending' });
    await advanceTo({ store, clock }, '2026-01-02T00:00:00Z');
    expect(logOf(store).map(({ state, result }) => [state, result])).toEqual([
      ['queued', 'connection closed'],
      ['queued', 'connection refused'],
    ]);
  });

  /** Delivers to a receiver whose answer does not end, and reaches the time limit when it has begun. */
  async function untilLimit(begin: (response: ServerResponse) => void) {
    const timeoutMs = 200;
    let reachLimit: () => void = () => {};
    const sleep: typeof clock.sleep = (ms, signal) =>
      ms === timeoutMs
        ? new Promise((resolve, reject) => {
            reachLimit = resolve;
            signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
          })
        : clock.sleep(ms, signal);
    const receiver = await openReceiver((_, response) => {
      begin(response);
      void turnsOfTheLoop().then(() => reachLimit());
    });
    const store = open();
    hook(store, receiver.url, { events: 'charge:pending' });
    await advanceTo({ store, clock: { ...clock, sleep }, timeoutMs }, '2026-01-02T00:00:00Z');
    return logOf(store).map(({ state, result }) => [state, result]);
  }

  test('no answer within the time limit does not count as delivered', async () => {
    expect(await untilLimit(() => undefined)).toEqual([['queued', 'no answer within 0.2 s']]);
  });

  test('a status counts as delivered even if the answer never ends', async () => {
    const log = await untilLimit((response) => response.writeHead(200).write('a'));
    expect(log).toEqual([['delivered', '200']]);
  });
});

describe('redelivery', () => {
  test('a delivery is repeated after 1, 2, 4, … minutes for two days, then abandoned', async () => {
    const times: string[] = [];
    const store = open(seedOf({ ann: { end_date: '2026-01-01' } }));
    const receiver = await openReceiver((_, response) => {
      times.push(store.read((tx) => tx.now).toISOString());
      response.writeHead(500).end();
    });
    hook(store, receiver.url, { events: 'charge:pending' });
    const days = await advanceTo({ store, clock }, '2026-01-06T00:00:00Z');
    const minutes = logOf(store).map(({ attempts, state }) => [attempts, state]);
    expect(minutes).toEqual([[13, 'abandoned']]);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    expect(logOf(store)[0]?.attempted_at).toBe('2026-01-04T00:00:00.000Z');
    expect(days.map(({ failed, abandoned }) => [failed, abandoned])).toEqual([
      [1, 0],
      [10, 0],
      [1, 1],
      [0, 0],
      [0, 0],
    ]);
    expect(times).toHaveLength(13);
  });

  test('queued deliveries arrive once and in order when the receiver is back', async () => {
    let isUp = false;
    const receiver = await openReceiver((_, response) =>
      response.writeHead(isUp ? 200 : 503).end(),
    );
    const store = open(seedOf({ ann: {}, bob: {} }));
    hook(store, receiver.url);
    await advanceTo({ store, clock }, '2026-01-02T12:00:00Z');
    isUp = true;
    receiver.received.length = 0;
    await advanceTo({ store, clock }, '2026-01-04T00:00:00Z');
    for (const customer of ['ann', 'bob']) {
      const events = receiver.received.filter((delivery) => delivery.customer === customer);
      expect(events.map(({ event }) => event)).toEqual(
        Array.from({ length: 3 }, () => ['charge:pending', 'charge:successful']).flat(),
      );
      const ids = events.map(({ id }) => Number(id));
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
    }
    expect(logOf(store).every(({ state }) => state === 'delivered')).toBe(true);
  });

  test('the next delivery is sent when the one before it is abandoned', async () => {
    const receiver = await openReceiver(({ id }, response) =>
      response.writeHead(id === '1' ? 500 : 200).end(),
    );
    const store = open(seedOf({ ann: { end_date: '2026-01-01' } }));
    hook(store, receiver.url);
    await advanceTo({ store, clock }, '2026-01-03T23:00:00Z');
    expect(logOf(store).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['queued', 12],
      ['queued', 0],
    ]);
    await advanceTo({ store, clock }, '2026-01-04T00:00:00Z');
    const at = '2026-01-04T00:00:00.000Z';
    expect(logOf(store)).toMatchObject([
      { event: 'charge:pending', state: 'abandoned', attempted_at: at },
      { event: 'charge:successful', state: 'delivered', attempts: 1, attempted_at: at },
    ]);
  });

  test("one customer's failures do not delay other customers", async () => {
    const receiver = await openReceiver(({ customer }, response) =>
      response.writeHead(customer === 'ann' ? 500 : 200).end(),
    );
    const store = open(seedOf({ ann: {}, bob: {} }));
    hook(store, receiver.url);
    await advanceTo({ store, clock }, '2026-01-03T12:00:00Z');
    const bob = receiver.received.filter(({ customer }) => customer === 'bob');
    expect(bob).toHaveLength(4);
    const ann = new Set(
      receiver.received.filter(({ customer }) => customer === 'ann').map(({ id }) => id),
    );
    expect(ann.size).toBe(1);
  });
});

describe('several at once', () => {
  test('several customers have a delivery in flight, never two of one customer', async () => {
    const busy = new Set<string>();
    const twice: string[] = [];
    let areSeveral: () => void = () => {};
    // Nobody is answered before a second one is there.
    const several = new Promise<void>((resolve) => (areSeveral = resolve));
    const receiver = await openReceiver(async ({ customer }, response) => {
      if (busy.has(customer)) twice.push(customer);
      if (busy.add(customer).size > 1) areSeveral();
      await several;
      setImmediate(() => {
        busy.delete(customer);
        response.writeHead(200).end();
      });
    });
    const names = Array.from({ length: 40 }, (_, index) => `customer-${index}`);
    const store = open(seedOf(Object.fromEntries(names.map((name) => [name, {}]))));
    hook(store, receiver.url);
    await advanceTo({ store, clock }, '2026-01-04T00:00:00Z');
    expect(receiver.received).toHaveLength(40 * 3 * 2);
    expect(twice).toEqual([]);
  });

  test('two processes that advance one file share the days and deliver once', async () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'state.db');
    const receiver = await openReceiver();
    const first = open(seedOf({ ann: {}, bob: {} }), path);
    hook(first, receiver.url);
    const second = openState({ path, clock });
    onTestFinished(() => second.close());
    const to = '2026-01-31T00:00:00Z';
    const days = (
      await Promise.all([first, second].map((store) => advanceTo({ store, clock }, to)))
    ).flat();
    expect(days.map(({ day }) => day).sort()).toHaveLength(30);
    expect(new Set(days.map(({ day }) => day)).size).toBe(30);
    expect(receiver.received).toHaveLength(30 * 2 * 2);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(120);
  });

  test('the lock belongs to one process until it is released', () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'state.db');
    const release = tryLock(path);
    expect(tryLock(path)).toBeUndefined();
    release?.();
    const again = tryLock(path);
    expect(again).toBeDefined();
    again?.();
  });
});

describe('a running server', () => {
  test('a running server bills the days that pass and delivers until it stops', async () => {
    const stop = new AbortController();
    let now = new Date('2026-03-10T23:59:00Z');
    const moving = { now: () => now, sleep: clock.sleep };
    const store = openState({
      path: ':memory:',
      clock: moving,
      seed: seedOf({ ann: {} }, { start: undefined }),
    });
    onTestFinished(() => store.close());
    const receiver = await openReceiver((_, response) => {
      response.writeHead(200).end();
      if (receiver.received.length === 2) now = new Date('2026-03-12T00:00:01Z');
      if (receiver.received.length === 4) stop.abort();
    });
    hook(store, receiver.url);
    now = new Date('2026-03-11T00:00:01Z');
    const defects: unknown[] = [];
    await runInBackground({
      store,
      // Only the pause between two looks is made shorter.
      clock: { now: moving.now, sleep: (ms, signal) => clock.sleep(ms === 500 ? 1 : ms, signal) },
      signal: stop.signal,
      onDefect: (error) => defects.push(error),
    });
    expect(defects).toEqual([]);
    expect(receiver.received.map(({ event }) => event)).toEqual([
      'charge:pending',
      'charge:successful',
      'charge:pending',
      'charge:successful',
    ]);
  });
});

test('the newest 100,000 finished deliveries are stored with their events', async () => {
  const receiver = await openReceiver((_, response) => response.writeHead(500).end());
  const store = open();
  const id = hook(store, receiver.url, { events: 'charge:pending' });
  await advanceTo({ store, clock }, '2026-01-02T00:00:00Z');
  store.write((tx) => {
    tx.do(
      runSql(`WITH RECURSIVE n (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < 100050)
       INSERT INTO events SELECT n, merchant, customer, name, created_at, body FROM n, events`),
    );
    tx.do(
      runSql(
        `INSERT INTO deliveries (id, hook, event, url, customer, created_at, state, attempts)
       SELECT id, ?, id, '', customer, created_at, 'delivered', 1 FROM events WHERE id > 1`,
        [id],
      ),
    );
    pruneLog(tx);
    const of = (table: string) =>
      tx.do(firstRow(`SELECT count(*) AS n, min(id) AS first, max(id) AS last FROM ${table}`));
    // The first one is queued still.
    expect(of('deliveries')).toEqual({ n: 100_001, first: 1, last: 100_050 });
    tx.do(runSql("UPDATE deliveries SET state = 'delivered', due_at = NULL WHERE id = 1"));
    pruneLog(tx);
    expect(of('deliveries')).toEqual({ n: 100_000, first: 51, last: 100_050 });
    expect(of('events')).toEqual({ n: 100_000, first: 51, last: 100_050 });
  });
});

describe('hooks', () => {
  test('the same address again is the same hook', () => {
    const store = open();
    const id = hook(store, 'http://127.0.0.1:4242/', { temporary: true });
    expect(hook(store, 'http://127.0.0.1:4242/', { temporary: true })).toBe(id);
    expect(hook(store, 'http://127.0.0.1:4242/', { events: 'charge:*' })).not.toBe(id);
    expect(listHooks(store).map(({ temporary }) => temporary)).toEqual([1, 0]);
    expect(hook(store, 'http://127.0.0.1:4242/')).toBe(id);
    expect(listHooks(store)[0]?.temporary).toBe(0);
  });

  test('a removed hook gets nothing, and its queued deliveries are cancelled', async () => {
    const receiver = await openReceiver((_, response) => response.writeHead(500).end());
    const store = open();
    const id = hook(store, receiver.url);
    await advanceTo({ store, clock }, '2026-01-02T00:00:00Z');
    expect(removeHook(store, id)).toBe(true);
    expect(removeHook(store, id)).toBe(false);
    await advanceTo({ store, clock }, '2026-01-05T00:00:00Z');
    expect(receiver.received).toHaveLength(1);
    expect(logOf(store).map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
  });

  test('a delivery that is taken while its hook is removed is delivered', async () => {
    const store = open();
    const receiver = await openReceiver((_, response) => {
      removeHook(store, 1);
      response.writeHead(200).end();
    });
    hook(store, receiver.url);
    await advanceTo({ store, clock }, '2026-01-03T00:00:00Z');
    expect(receiver.received).toHaveLength(1);
    expect(logOf(store).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['delivered', 1],
      ['cancelled', 0],
    ]);
  });

  test('a temporary hook stays while its deliveries succeed or are repeated', async () => {
    let isUp = true;
    const receiver = await openReceiver((_, response) =>
      response.writeHead(isUp ? 200 : 500).end(),
    );
    const store = open();
    hook(store, receiver.url, { temporary: true });
    await advanceTo({ store, clock }, '2026-01-03T00:00:00Z');
    isUp = false;
    await advanceTo({ store, clock }, '2026-01-04T12:00:00Z');
    isUp = true;
    await advanceTo({ store, clock }, '2026-01-06T00:00:00Z');
    expect(listHooks(store)).toHaveLength(1);
    expect(logOf(store).map(({ state }) => state)).toEqual(
      Array.from({ length: 10 }, () => 'delivered'),
    );
  });

  test('a temporary hook without an answer is removed after two days', async () => {
    const receiver = await openReceiver();
    await receiver.close();
    const store = open();
    hook(store, receiver.url, { temporary: true });
    await advanceTo({ store, clock }, '2026-01-03T00:00:00Z');
    expect(listHooks(store)).toHaveLength(1);
    await advanceTo({ store, clock }, '2026-01-10T00:00:00Z');
    expect(listHooks(store)).toEqual([]);
    const states = logOf(store).map(({ state }) => state);
    expect(states[0]).toBe('abandoned');
    expect(new Set(states.slice(1))).toEqual(new Set(['cancelled']));
  });

  test.each(['ftp://example.com/', 'example.com:80', '127.0.0.1.example.com:80', 'not a url', ''])(
    'the address %j is refused',
    (url) => {
      expect(() => hook(open(), url)).toThrow('begins with http:// or https://');
    },
  );

  test.each([
    'https://example.com/h',
    'http://localhost:1/',
    'http://[::1]:1/',
    'http://127.1.2.3/',
    'http://app:3000/',
    'http://0.0.0.0:80/',
  ])('the address %j is accepted', (url) => {
    expect(hook(open(), url)).toBe(1);
  });

  test('events and accounts that do not exist are refused', () => {
    const store = open();
    expect(() => hook(store, 'http://127.0.0.1/', { events: 'charge:*,card:gone' })).toThrow(
      'No event matches "card:gone"',
    );
    expect(() => registerHook(store, { merchant: 'NOBODY', url: 'http://127.0.0.1/' })).toThrow(
      'no account "NOBODY"',
    );
  });

  test('a reset clears the hooks and the queue', async () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'state.db');
    const store = open(undefined, path);
    hook(store, 'http://127.0.0.1:9/');
    await advanceTo({ store, clock }, '2026-01-02T00:00:00Z');
    expect(logOf(store)).toHaveLength(2);
    resetState({ path, clock });
    expect(listHooks(store)).toEqual([]);
    expect(logOf(store)).toEqual([]);
  });

  test('a reset ends a wave: nothing of the old state is sent, or settles a delivery of the new one', async () => {
    const path = join(temporaryDirectory(), 'state.db');
    const seed = seedOf(Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`old${n}`, {}])));
    const store = open(seed, path);
    const receiver = await openReceiver((_, response) => {
      if (!isReset) {
        isReset = true;
        expect(resetState({ path, clock, seed: seedOf({ new: {} }) }).queued).toBe(80);
        hook(store, receiver.url);
        store.write((tx) => billStoredDay(tx, tx.billingDay));
      }
      response.writeHead(200).end();
    });
    let isReset = false;
    hook(store, receiver.url);
    await advanceTo({ store, clock }, '2026-01-02T00:00:00Z');
    await advanceTo({ store, clock }, '2026-01-02T00:01:00Z');
    const { received } = receiver;
    expect(received.filter(({ customer }) => customer !== 'new').length).toBeLessThanOrEqual(16);
    expect(received.filter(({ customer }) => customer === 'new').map(({ id }) => id)).toEqual([
      '1',
      '2',
    ]);
    expect(logOf(store).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['delivered', 1],
      ['delivered', 1],
    ]);
  });
});
