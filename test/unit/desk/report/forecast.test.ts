/** The test gateway charges what the forecast says. */

import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { RecordKind } from '../../../../src/contract/record.ts';
import { foretold } from '../../../../src/desk/report/at-risk.ts';
import {
  checkSpan,
  doubtsOf,
  dueText,
  type Expected,
  expectedOf,
  Forecast,
  isPayable,
} from '../../../../src/desk/report/forecast.ts';
import { knownSubscriptions } from '../../../../src/desk/report/known-subscriptions.ts';
import type { KnownSubscription } from '../../../../src/desk/report/report-view.ts';
import { createGateway } from '../../../../src/emulator/gateway.ts';
import { readSeed } from '../../../../src/emulator/seed.ts';
import { openState } from '../../../../src/emulator/state.ts';
import type { Store } from '../../../../src/emulator/store.ts';
import { basicAuthorization } from '../../../../src/host/http/basic-auth.ts';
import { allRows } from '../../../../src/store/sql.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { testClock } from '../../emulator/support.ts';
import { advanceTo } from '../../emulator/support-billing.ts';
import { type OpenDesk, openDesk, SCOPE, seen } from '../support.ts';

const SEED = readFileSync('docs/three-months.json', 'utf8');
const SPAN = { today: '2026-02-15', first: '2026-02-15', next: '2026-03-15' };

async function openLife() {
  const clock = testClock();
  const store = openState({ path: ':memory:', clock, seed: readSeed(SEED, 'three-months.json') });
  onTestFinished(() => store.close());
  const desk = await openDesk();
  await advanceTo({ store, clock }, SPAN.today);
  return { store, clock, desk };
}

/** Looks everything up, as somebody might who has the references. */
async function lookAt(store: Store, { ledger }: OpenDesk): Promise<void> {
  const gateway = createGateway({ store });
  const records = async (kind: RecordKind, path: (row: Row) => string, table: string) => {
    const rows = store.read((tx) => tx.do(allRows<Row>(`SELECT id, reference FROM ${table}`)));
    return Promise.all(
      rows.map(async (row) => {
        const authorization = basicAuthorization('TEST', 'TEST');
        const { body } = await gateway.answer({ method: 'GET', target: path(row), authorization });
        return seen(kind, JSON.parse(body).response);
      }),
    );
  };
  const cards = store.read((tx) =>
    tx.do(allRows<{ token: string; expiry: string }>('SELECT token, expiry FROM cards')),
  );
  const snapshots = [
    ...(await records(
      'subscription',
      (row) => `/v1.0/subscriptions/${row.reference}`,
      'subscriptions',
    )),
    ...(await records('customer', (row) => `/v1.0/customers/${row.id}`, 'customers')),
    ...(await records('plan', (row) => `/v1.0/plans/${row.id}`, 'plans')),
    ...cards.map(({ token, expiry }) =>
      seen('card', { token, card_expiry: expiry }, { id: token }),
    ),
  ];
  await ledger.remember(snapshots);
}

interface Row {
  id: string;
  reference: string;
}

async function forecastOf({ ledger: { things } }: OpenDesk): Promise<Expected[]> {
  const all: Expected[] = [];
  for (const one of await knownSubscriptions({ things, scope: SCOPE }, SPAN.today))
    all.push(...expectedOf(one, SPAN));
  return all;
}

interface Charged extends JsonObject {
  reference: string;
  day: string;
  amount: number;
  successful: number;
}

const chargesOf = (store: Store) =>
  store.read((tx) =>
    tx.do(
      allRows<Charged>(
        `SELECT reference, substr(transaction_date, 1, 10) AS day, amount, successful FROM purchases
        WHERE source = 'Recurring' AND transaction_date >= ? AND transaction_date < ?`,
        [SPAN.today, SPAN.next],
      ),
    ),
  );

test('the test gateway charges each day what was forecast', async () => {
  const { store, clock, desk } = await openLife();
  await lookAt(store, desk);
  const foretold = await forecastOf(desk);
  await advanceTo({ store, clock }, SPAN.next);
  const charges = chargesOf(store);
  const failing = new Set(
    charges.filter(({ successful }) => successful === 0).map((one) => one.reference),
  );

  const due = foretold.filter(({ what }) => what !== 'card expires');
  const lines = (some: readonly (readonly [name: string, day: string, amount: number | null])[]) =>
    some
      .filter(([name]) => !failing.has(name))
      .map(String)
      .toSorted();
  const actual = lines(
    charges.map(({ reference, day, amount }) => [reference, day, amount] as const),
  );
  expect(actual.length).toBeGreaterThan(300);
  expect(
    lines(due.map(({ subscription: { name, amount }, day }) => [name, day, amount] as const)),
  ).toEqual(actual);

  // A declined charge is tried again, so only its first attempt can be forecast.
  const first = (days: readonly string[]) => days.toSorted()[0];
  expect(failing.size).toBeGreaterThan(10);
  for (const name of failing)
    expect(
      first(due.filter((one) => one.subscription.name === name).map(({ day }) => day)),
      name,
    ).toBe(first(charges.filter((one) => one.reference === name).map(({ day }) => day)));

  const missed = foretold.filter(({ what }) => what === 'card expires');
  expect(missed.length).toBeGreaterThan(0);
  const stopped = store.read((tx) =>
    tx.do(allRows<Row>('SELECT id, reference FROM subscriptions WHERE is_active = 0')),
  );
  const names = stopped.map(({ reference }) => reference);
  expect(names).toEqual(
    expect.arrayContaining(missed.map(({ subscription }) => subscription.name)),
  );
});

test('sums of a day are told by currency, and what has no amount by itself', async () => {
  const { store, desk } = await openLife();
  await lookAt(store, desk);
  const foretold = await forecastOf(desk);
  const forecast = new Forecast();
  for (const one of foretold) forecast.add(one);
  const unknown = { ...foretold[0]!.subscription, amount: null };
  forecast.add({ ...foretold[0]!, subscription: unknown });
  const count = forecast.rows.reduce((n, row) => n + row.count, 0);
  expect(count).toBe(foretold.length + 1);
  const withoutAmount = forecast.rows.filter(
    ({ what, amount }) => amount === null && what !== 'card expires',
  );
  expect(withoutAmount).toMatchObject([{ currency: null, count: 1 }]);
  expect(forecast.rows.map(({ part }) => part)).toEqual(
    forecast.rows.map(({ part }) => part).toSorted(),
  );
});

test.each([
  ['month', 'charge due', { part: '2026-04', count: 2, amount: 3000n }],
  ['plan', 'charge due', { part: 'gold', count: 2, amount: 3000n }],
  ['week', 'charge due', { part: '2026-W14', count: 1, amount: 1500n }],
  ['month', 'card expires', { part: '2026-04', count: 2, amount: null }],
] as const)('by %s, a %s is in a sum as far as its money comes', async (by, what, sum) => {
  const { store, desk } = await openLife();
  await lookAt(store, desk);
  const [one] = await forecastOf(desk);
  const subscription = { ...one!.subscription, amount: 1500, currency: 'AUD', plan: 'gold' };
  const forecast = new Forecast(by);
  for (const day of ['2026-04-01', '2026-04-30']) forecast.add({ day, what, subscription });
  expect(forecast.rows[0]).toMatchObject(sum);
  expect(forecast.rows[0]?.reason ?? '15.00 AUD').toContain('15.00 AUD');
});

test('charges without an amount are due too', () => {
  const due = (currency: string | null, amount: number | null) => ({ currency, amount });
  expect(dueText([])).toBe('nothing');
  expect(dueText([due(null, null), due(null, null)])).toBe('2 of unknown amount');
  expect(dueText([due('AUD', 500), due('JPY', 70), due('AUD', 1_000)])).toBe('15.00 AUD, 70 JPY');
  expect(dueText([due('AUD', 500), due(null, null)])).toBe('5.00 AUD, 1 of unknown amount');
});

const WEEKLY: KnownSubscription = {
  ...{ name: 'SUB-7', customer: null, who: 'Ada', email: null, plan: 'GOLD' },
  ...{ amount: 700, currency: 'AUD', seenAt: '2026-02-14T00:00:00Z', source: 'record' },
  ...{ frequency: 'Weekly', start: '2026-02-02', end: null, next: '2026-02-16', retry: null },
  ...{
    lastStatus: 'Successful',
    isActive: true,
    ...{ stoppedOn: null, stopCause: null, movedTo: null },
    hasExpiredCard: false,
    expiryNotice: null,
  },
  cardExpiry: '2026-02',
};

test('each charge that a card is too old for is missed, and at risk as those before it are', () => {
  const found = foretold([WEEKLY, { ...WEEKLY, name: 'SUB-8', cardExpiry: '2031-01' }], {
    ...SPAN,
    next: '2026-03-31',
  });
  const days = (some: readonly Expected[]) => some.map(({ day }) => day.slice(5)).join(' ');
  const { expected, risks, risky } = found;
  expect(days(risky)).toBe('02-16 02-23 03-02 03-09 03-16 03-23 03-30');
  expect(days(expected.filter((one) => !isPayable(one)))).toBe('03-02 03-09 03-16 03-23 03-30');
  expect(risks).toMatchObject([{ risk: 'card expires', dueCount: 7, dueAmount: 4900n }]);
  expect(doubtsOf(found)).toEqual([
    'Not in the sum, because the card will have expired: 5 charges, 35.00 AUD.',
    'At risk, with those: 7 charges, 49.00 AUD.',
  ]);
});

test.each([
  ['stopped', { isActive: false, hasExpiredCard: true }, 0],
  ['ended', { end: '2026-02-13', next: null }, 0],
  ['charged no more before its end', { end: '2026-02-20', next: null }, 0],
  [
    'retried after its end',
    { end: '2026-02-13', next: null, retry: { number: 2, date: '2026-02-15' } },
    1,
  ],
] as const)('of one that is %s, nothing is at risk but its retry', (_, change, due) => {
  const { risky, risks } = foretold(
    [{ ...WEEKLY, lastStatus: 'Failed (3), Aborted', ...change }],
    SPAN,
  );
  expect([risky.length, risks.length]).toEqual([due, due]);
});

test('a card that expires later in the days of the report is at risk in them alone', () => {
  const one = { ...WEEKLY, cardExpiry: '2026-05' };
  expect(foretold([one], SPAN).risks).toEqual([]);
  const { risks, risky } = foretold([one], { ...SPAN, next: '2026-06-09' });
  expect(risks).toMatchObject([{ why: 'ends 2026-05, before 2026-06-01', dueCount: 17 }]);
  expect(risky.filter((due) => !isPayable(due)).length).toBe(2);
});

test.each([
  [{ first: '2026-02-01', next: '2026-02-15' }, 'forecast-past'],
  [{ first: '2030-01-01', next: '2030-02-01' }, 'forecast-too-far'],
])('there is no forecast of %j', async (days, code) => {
  expect((await failureOf(() => checkSpan({ ...SPAN, ...days }))).code).toBe(code);
});
