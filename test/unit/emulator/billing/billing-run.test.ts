import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addDays } from '../../../../src/base/calendar.ts';
import { type AdvancedDay, moveClockTo } from '../../../../src/emulator/billing/advance.ts';
import { billStoredDay } from '../../../../src/emulator/billing/billing-run.ts';
import { registerHook } from '../../../../src/emulator/deliveries/hooks.ts';
import { listDeliveries } from '../../../../src/emulator/deliveries/queue.ts';
import { createGateway } from '../../../../src/emulator/gateway.ts';
import type { Seed } from '../../../../src/emulator/seed.ts';
import { describeState, openState } from '../../../../src/emulator/state.ts';
import type { Store } from '../../../../src/emulator/store.ts';
import { basicAuthorization } from '../../../../src/host/http/basic-auth.ts';
import { allRows } from '../../../../src/store/sql.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';
import { testClock } from '../support.ts';
import { advanceTo, seedOf } from '../support-billing.ts';

function open(seed?: Seed, path = ':memory:', clock = testClock()) {
  const store = openState({ path, clock, seed });
  onTestFinished(() => store.close());
  return { store, clock };
}

async function ask(store: Store, method: string, target: string, body?: object) {
  return (await answerTo(store, method, target, body)).response;
}

async function answerTo(store: Store, method: string, target: string, body?: object) {
  const answer = await createGateway({ store }).answer({
    method,
    target,
    authorization: basicAuthorization('TEST', 'TEST'),
    body: body && JSON.stringify(body),
  });
  return JSON.parse(answer.body);
}

const subscription = (store: Store, reference: string) =>
  ask(store, 'GET', `/v1.0/subscriptions/${reference}`);

const purchasesOf = (store: Store, reference: string) =>
  store.read((tx) =>
    tx.do(
      allRows<{ id: string; transaction_date: string; successful: number }>(
        'SELECT id, transaction_date, successful FROM purchases WHERE reference = ? ORDER BY rowid',
        [reference],
      ),
    ),
  );
/** All that is said of cards, a line an event. */
const cardEvents = (days: AdvancedDay[]) =>
  days.flatMap(({ day, events }) =>
    (['card:expiring', 'card:expired'] as const).flatMap((name) =>
      Array.from({ length: events[name] }, () => `${day} ${name}`),
    ),
  );

const daysOf = (store: Store, reference: string) =>
  purchasesOf(store, reference).map(({ transaction_date }) => transaction_date.slice(0, 10));

test('a month has daily charges, a card that fails and a card that expires', async () => {
  const { store, clock } = open(
    seedOf({
      ann: {},
      bob: { card: 'declined', frequency: 'Monthly', start_date: '2026-01-05' },
      cem: { frequency: 'Weekly', expiry: '01/2026' },
    }),
  );
  const days = await advanceTo({ store, clock }, '2026-02-02T09:00:00Z');
  expect(days.map(({ day }) => day).slice(0, 2)).toEqual(['2026-01-01', '2026-01-02']);
  expect(days).toHaveLength(32);
  const total = (name: keyof (typeof days)[0]['events']) =>
    days.reduce((sum, { events }) => sum + events[name], 0);
  expect(total('charge:successful')).toBe(32 + 5);
  expect(total('charge:retry')).toBe(3);
  expect(total('charge:failed')).toBe(1);
  expect(days.filter(({ events }) => events['card:expiring'] > 0).map(({ day }) => day)).toEqual([
    '2026-01-01',
  ]);
  expect(days.filter(({ events }) => events['card:expired'] > 0).map(({ day }) => day)).toEqual([
    '2026-02-01',
  ]);

  expect(await subscription(store, 'sub-ann')).toMatchObject({
    last_status: 'Successful',
    next_billing_date: '2026-02-02',
  });
  expect(await subscription(store, 'sub-bob')).toMatchObject({
    last_status: 'Failed (3), Aborted',
    next_billing_date: '2026-02-05',
    is_active: true,
  });
  expect(await subscription(store, 'sub-cem')).toMatchObject({ is_active: false });
  expect(describeState(store).clock.now.toISOString()).toBe('2026-02-02T09:00:00.000Z');
});

test('charges are purchases with the source Recurring, even declined ones', async () => {
  const { store, clock } = open(seedOf({ ann: { amount: 1234 }, bob: { card: 'declined' } }));
  await advanceTo({ store, clock }, '2026-01-02T00:00:00Z');
  const [paid] = purchasesOf(store, 'sub-ann');
  expect(await ask(store, 'GET', `/v1.0/purchases/${paid?.id}`)).toEqual({
    id: paid?.id,
    authorization: expect.stringMatching(/^\d{6}$/),
    card_number: '512345XXXXXX2346',
    card_holder: 'ann Example',
    card_expiry: '2031-05-31',
    card_token: expect.any(String),
    amount: 1234,
    decimal_amount: 12.34,
    successful: true,
    message: 'Approved',
    reference: 'sub-ann',
    currency: 'AUD',
    settlement_date: '2026-01-01',
    transaction_date: '2026-01-01T23:59:59+00:00',
    source: 'Recurring',
    response_code: '00',
    captured: true,
    captured_amount: 1234,
    transaction_id: paid?.id,
    card_type: 'MasterCard',
    card_category: 'Credit',
    card_subcategory: 'Standard',
    rrn: expect.stringMatching(/^0{6}\d{6}$/),
    cvv_match: 'U',
    metadata: {},
    addendum_data: {},
  });
  const [declined] = purchasesOf(store, 'sub-bob');
  expect(await ask(store, 'GET', `/v1.0/purchases/${declined?.id}`)).toMatchObject({
    successful: false,
    message: 'Declined',
    authorization: null,
    source: 'Recurring',
    response_code: '05',
    captured: false,
  });
});

test('a stopped subscription is not billed, and resumes with the next due date', async () => {
  const { store, clock } = open(
    seedOf({ ann: { frequency: 'Monthly', start_date: '2026-01-31' }, bob: {} }),
  );
  const set = (reference: string, is_active: boolean) =>
    ask(store, 'PUT', `/v1.0/subscriptions/${reference}.json`, { is_active });
  await advanceTo({ store, clock }, '2026-02-01T00:00:00Z');
  await set('sub-ann', false);
  await set('sub-bob', false);
  await advanceTo({ store, clock }, '2026-04-10T00:00:00Z');
  expect(daysOf(store, 'sub-ann')).toEqual(['2026-01-31']);
  expect(daysOf(store, 'sub-bob')).toHaveLength(31);
  expect(await set('sub-ann', true)).toMatchObject({ next_billing_date: '2026-04-30' });
  await set('sub-bob', true);
  await advanceTo({ store, clock }, '2026-05-01T00:00:00Z');
  expect(daysOf(store, 'sub-ann')).toEqual(['2026-01-31', '2026-04-30']);
  expect(daysOf(store, 'sub-bob').slice(31, 33)).toEqual(['2026-04-10', '2026-04-11']);
});

test('a deleted customer is not billed, and plans keep their count', async () => {
  const { store, clock } = open(seedOf({ ann: {}, bob: {} }));
  const counts = async () =>
    (await ask(store, 'GET', '/v1.0/plans.json')).map(
      (plan: { subscription_count: number }) => plan.subscription_count,
    );
  await advanceTo({ store, clock }, '2026-01-03T00:00:00Z');
  expect(await counts()).toEqual([1, 1]);
  await ask(store, 'DELETE', '/v1.0/customers/ann.json');
  const days = await advanceTo({ store, clock }, '2026-03-03T00:00:00Z');
  expect(daysOf(store, 'sub-ann')).toHaveLength(2);
  expect(days.every(({ events }) => events['charge:successful'] === 1)).toBe(true);
  await ask(store, 'POST', '/v1.0/subscriptions', {
    customer: 'bob',
    plan: 'plan-ann',
    frequency: 'Annually',
    reference: 'another',
  });
  await advanceTo({ store, clock }, '2026-03-05T00:00:00Z');
  expect(await counts()).toEqual([2, 1]);
});

test('a new card ends the failures, and its own expiry is announced', async () => {
  const { store, clock } = open(seedOf({ bob: { card: 'declined', expiry: '02/2026' } }));
  await advanceTo({ store, clock }, '2026-01-03T00:00:00Z');
  await ask(store, 'PUT', '/v1.0/customers/bob.json', {
    card: { card_number: '5123456789012346', expiry_date: '03/2026', cvv: '123' },
  });
  const days = await advanceTo({ store, clock }, '2026-04-10T00:00:00Z');
  expect(days[0]?.events).toMatchObject({ 'charge:successful': 2, 'charge:retry': 0 });
  const noticed = days.filter(({ events }) => events['card:expiring'] + events['card:expired'] > 0);
  expect(noticed.map(({ day }) => day)).toEqual(['2026-03-01', '2026-04-01']);
});

test('a card with a later expiry is announced again and expires then', async () => {
  const { store, clock } = open(seedOf({ ann: { expiry: '01/2026' } }));
  const first = await advanceTo({ store, clock }, '2026-01-15T00:00:00Z');
  await ask(store, 'PUT', '/v1.0/customers/ann.json', { card: { expiry_date: '03/2026' } });
  const then = await advanceTo({ store, clock }, '2026-05-01T00:00:00Z');
  expect([...cardEvents(first), ...cardEvents(then)]).toEqual([
    '2026-01-01 card:expiring',
    '2026-03-01 card:expiring',
    '2026-04-01 card:expired',
  ]);
});

test('a card with an earlier expiry is announced in time, even if nothing is due', async () => {
  const { store, clock } = open(
    seedOf({ ann: { frequency: 'Annually', start_date: '2026-06-01', expiry: '05/2031' } }),
  );
  await advanceTo({ store, clock }, '2026-01-02T00:00:00Z');
  await ask(store, 'PUT', '/v1.0/customers/ann.json', { card: { expiry_date: '02/2026' } });
  const days = await advanceTo({ store, clock }, '2026-04-01T00:00:00Z');
  expect(cardEvents(days)).toEqual(['2026-01-29 card:expiring', '2026-03-01 card:expired']);
});

test('a new card is announced even if the old one was', async () => {
  const { store, clock } = open(
    seedOf({ ann: { frequency: 'Annually', start_date: '2026-06-01', expiry: '01/2026' } }),
  );
  const noticed = async (to: string) =>
    (await advanceTo({ store, clock }, to))
      .filter(({ events }) => events['card:expiring'] > 0)
      .map(({ day }) => day);
  expect(await noticed('2026-01-10T00:00:00Z')).toEqual(['2026-01-01']);
  await ask(store, 'PUT', '/v1.0/customers/ann.json', {
    card: { card_number: '5123456789012346', expiry_date: '01/2026', cvv: '123' },
  });
  expect(await noticed('2026-01-20T00:00:00Z')).toEqual(['2026-01-10']);
});

describe('a card that has expired', () => {
  /** Nothing is due of it, so that only the card is a reason to look at the account. */
  const made = {
    customer: 'ann',
    plan: 'plan-ann',
    frequency: 'Weekly',
    start_date: '2029-01-01',
  };
  const put = (store: Store, target: string, body: object) =>
    answerTo(store, 'PUT', `/v1.0/${target}.json`, body);
  const renew = (store: Store, expiry_date: string) =>
    put(store, 'customers/ann', {
      card: { card_number: '5123456789012346', expiry_date, cvv: '123' },
    });

  test('is announced if its subscription is resumed later', async () => {
    const { store, clock } = open(seedOf({ ann: { frequency: 'Annually', expiry: '02/2026' } }));
    await put(store, 'subscriptions/sub-ann', { is_active: false });
    expect(cardEvents(await advanceTo({ store, clock }, '2026-02-10T00:00:00Z'))).toEqual([]);
    await put(store, 'subscriptions/sub-ann', { is_active: true });
    const days = await advanceTo({ store, clock }, '2026-04-01T00:00:00Z');
    expect(cardEvents(days)).toEqual(['2026-02-10 card:expiring', '2026-03-01 card:expired']);
  });

  /** `POST` makes a subscription, true and false set those there are, `MM/YYYY` is the card's expiry. */
  const request = fc.constantFrom('POST', true, false, '12/2025', '01/2026', '03/2026', '01/2027');
  const steps = fc.array(
    fc.record({
      requests: fc.array(request, { maxLength: 3 }),
      days: fc.integer({ min: 1, max: 45 }),
    }),
    { minLength: 1, maxLength: 5 },
  );

  test('leaves nothing active and is announced once, whatever requests come before', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const store = openState({
          path: ':memory:',
          clock: testClock(),
          seed: seedOf({ ann: {} }),
        });
        const active = () =>
          store.read((tx) => tx.do(allRows('SELECT 1 FROM subscriptions WHERE is_active = 1')))
            .length;
        let expiry = '05/2031';
        for (const { requests, days } of given) {
          for (const [index, what] of requests.entries()) {
            if (what === 'POST') {
              const reference = `${describeState(store).billingDay} ${index}`;
              await ask(store, 'POST', '/v1.0/subscriptions', { ...made, reference });
            } else if (typeof what === 'string') {
              await renew(store, what);
              expiry = what;
            } else await put(store, 'subscriptions/sub-ann', { is_active: what });
          }
          const wasActive = active() > 0;
          const last = addDays(describeState(store).billingDay, days);
          const told = cardEvents(
            await advanceTo({ store, clock: testClock() }, `${last}T00:00:00Z`),
          );
          const isOver = addDays(last, -1).slice(0, 7) > `${expiry.slice(3)}-${expiry.slice(0, 2)}`;
          expect(told.filter((line) => line.endsWith('expired'))).toHaveLength(
            Number(wasActive && isOver),
          );
          if (isOver) expect(active()).toBe(0);
        }
        store.close();
      }),
      { numRuns: 40 },
    );
  });
});

describe('a waiting retry', () => {
  const waiting = async () => {
    const opened = open(seedOf({ bob: { card: 'declined', frequency: 'Monthly' } }));
    await advanceTo(opened, '2026-01-03T00:00:00Z');
    expect(await subscription(opened.store, 'sub-bob')).toMatchObject({
      last_status: 'Failed (2), Pending',
      is_active: true,
    });
    return opened;
  };

  test('ends when its customer is deleted, without charge:failed', async () => {
    const { store, clock } = await waiting();
    await ask(store, 'DELETE', '/v1.0/customers/bob.json');
    expect(await subscription(store, 'sub-bob')).toMatchObject({
      last_status: 'Failed (2), Aborted',
      is_active: false,
    });
    const days = await advanceTo({ store, clock }, '2026-01-10T00:00:00Z');
    expect(days.every(({ events }) => events['charge:failed'] === 0)).toBe(true);
  });
});

test('customers are billed in the order in which they were made', async () => {
  const names = Array.from({ length: 9 }, (_, index) => `customer-${index}`);
  const { store, clock } = open(seedOf(Object.fromEntries(names.map((name) => [name, {}]))));
  await advanceTo({ store, clock }, '2026-01-02T00:00:00Z');
  const purchases = store.read((tx) =>
    tx.do(allRows<{ reference: string }>('SELECT reference FROM purchases ORDER BY rowid')),
  );
  expect(purchases.map(({ reference }) => reference)).toEqual(names.map((name) => `sub-${name}`));
});

test('the same seed gives the same ids and events, however the time passes', () => {
  const run = (steps: string[]) => {
    const { store } = open(
      seedOf({
        ann: {},
        bob: { card: 'declined', frequency: 'Weekly' },
        cem: { expiry: '02/2026' },
      }),
    );
    registerHook(store, { merchant: 'TEST', url: 'http://127.0.0.1:9/' });
    for (const to of steps) {
      store.write((tx) => {
        while (tx.billingDay < to) billStoredDay(tx, tx.billingDay);
      });
    }
    return store.read((tx) => ({
      events: listDeliveries(tx, { limit: 10_000 }),
      purchases: tx.do(allRows('SELECT * FROM purchases ORDER BY id')),
    }));
  };
  const once = run(['2026-04-01']);
  expect(once.events.length).toBeGreaterThan(200);
  expect(run(['2026-01-02', '2026-02-11', '2026-04-01'])).toEqual(once);
});

describe('time that passes by itself', () => {
  test('time that passed is billed by the next request, once', async () => {
    const seed = seedOf({ ann: {} }, { start: undefined });
    const { store, clock } = open(seed);
    expect(daysOf(store, 'sub-ann')).toEqual([]);
    clock.time = new Date('2026-03-13T00:00:01Z');
    expect(await subscription(store, 'sub-ann')).toMatchObject({
      next_billing_date: '2026-03-13',
      last_status: 'Successful',
    });
    await subscription(store, 'sub-ann');
    expect(daysOf(store, 'sub-ann')).toEqual(['2026-03-10', '2026-03-11', '2026-03-12']);
  });

  test('a running clock that was moved runs on from there', async () => {
    const { store, clock } = open(seedOf({ ann: {} }, { start: undefined }));
    await advanceTo({ store, clock }, '2026-03-20T00:00:00Z');
    expect(daysOf(store, 'sub-ann')).toHaveLength(10);
    clock.time = new Date(clock.time.getTime() + 86_400_000);
    await subscription(store, 'sub-ann');
    expect(daysOf(store, 'sub-ann')).toHaveLength(11);
    expect(describeState(store).clock.now.toISOString()).toBe('2026-03-21T00:00:00.000Z');
  });
});

describe('the clock', () => {
  test('the clock goes on from the file', async () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'state.db');
    const clock = testClock();
    const first = openState({ path, clock, seed: seedOf({ ann: {} }) });
    await advanceTo({ store: first, clock }, '2026-01-04T09:00:00Z');
    first.close();
    const { store } = open(undefined, path, clock);
    expect(describeState(store).clock.now.toISOString()).toBe('2026-01-04T09:00:00.000Z');
    const days = await advanceTo({ store, clock }, '2026-01-05T09:00:00Z');
    expect(days.map(({ day }) => day)).toEqual(['2026-01-04']);
  });

  test('the clock does not go back, or further than anybody waits', async () => {
    const { store, clock } = open(seedOf({ ann: {} }));
    await expect(advanceTo({ store, clock }, '2026-01-01T08:00:00Z')).rejects.toThrow('go back');
    await expect(advanceTo({ store, clock }, '2046-01-01T00:00:00Z')).rejects.toThrow('days ahead');
    expect(await advanceTo({ store, clock }, '2026-01-01T09:00:00Z')).toEqual([]);
  });

  describe('to where `start --clock` wants it', () => {
    const at = '2026-01-01T09:00:00.000Z';
    const moved = async (text: string) => {
      const { store, clock } = open(seedOf({ ann: {} }));
      await moveClockTo(new Date(text), { store, clock });
      return store.read((tx) => [tx.now.toISOString(), tx.billingDay]);
    };

    test.each(['2026-01-01', '2026-01-01T09:00:00Z', '2026-01-01T08:59:59Z'])(
      'stays where it is on that day already: %s',
      async (text) => {
        expect(await moved(text)).toEqual([at, '2026-01-01']);
      },
    );

    test.each([
      ['2026-01-01T09:00:01Z', '2026-01-01T09:00:01.000Z', '2026-01-01'],
      ['2026-01-04', '2026-01-04T00:00:00.000Z', '2026-01-04'],
    ])('goes on to %s, and bills the days between', async (text, time, next) => {
      expect(await moved(text)).toEqual([time, next]);
    });

    test('does not go back, and says how to start over', async () => {
      const failure = await moved('2025-12-31').catch((error) => error);
      expect(failure).toMatchObject({ kind: 'usage', code: 'clock-goes-back' });
      expect(failure.next).toContain('--fresh');
    });
  });
});
