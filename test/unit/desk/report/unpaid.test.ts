/** The report of unpaid charges has each once, as the history of its customer says it. */
import { expect, test } from 'vitest';
import { sumsOf } from '../../../../src/desk/history/sums.ts';
import { timelineOf } from '../../../../src/desk/history/timeline.ts';
import type { KnownSubscription, UnpaidRow } from '../../../../src/desk/report/report-view.ts';
import {
  payersIn,
  perhapsPaid,
  unpaidByCustomer,
  unpaidRows,
} from '../../../../src/desk/report/unpaid.ts';
import type { Thing } from '../../../../src/things/thing.ts';
import { openDesk, purchase, SCOPE, seen } from '../support.ts';

const ALL = { from: '1900-01-01T00:00:00Z', until: '2999-12-31T00:00:00Z' };
const NO_EVENTS = { events: async () => [] };

async function desk() {
  const opened = await openDesk();
  const declined = { successful: false, message: 'Insufficient Funds' };
  const charge = (id: string, day: string, more: object = {}) =>
    seen('purchase', {
      ...purchase(id, { transaction_date: `2026-03-${day}T00:00:00Z` }),
      ...{ source: 'Recurring', reference: 'SUB-1', ...more },
    });
  await opened.ledger.remember([
    charge('071-P-1', '01', declined),
    charge('071-P-2', '02', declined),
    charge('071-P-3', '08', declined),
    charge('071-P-4', '09', { ...declined, message: 'Expired Card' }),
    charge('071-P-5', '08', { ...declined, reference: 'SUB-2' }),
    charge('071-P-6', '09', { reference: 'SUB-2' }),
  ]);
  return opened.ledger.things;
}

test('a charge and its retries are one, and only the last charge is tried again', async () => {
  const things = await desk();
  const known = { things, scope: SCOPE };
  const retry = { number: 2, date: '2026-03-10' };
  const subscription = { name: 'SUB-1', retry } as KnownSubscription;
  const { rows } = await unpaidRows(known, [subscription], ALL, false);
  expect(
    rows.map(({ since, tries, reason, nextRetry, id }) => [
      since.slice(0, 10),
      tries,
      reason,
      nextRetry,
      id,
    ]),
  ).toEqual([
    ['2026-03-01', 2, 'Insufficient Funds', null, '071-P-2'],
    ['2026-03-08', 2, 'Expired Card', '2026-03-10', '071-P-4'],
  ]);
  const march8 = { from: '2026-03-08T00:00:00Z', until: '2026-03-09T00:00:00Z' };
  expect((await unpaidRows(known, [], march8, false)).rows.map(({ id }) => id)).toEqual([
    '071-P-4',
  ]);
});

test('a later sale of the same amount to the same customer is named beside the charge', async () => {
  const opened = await openDesk();
  const paid = (id: string, day: string, more: object = {}) =>
    seen('purchase', {
      ...purchase(id, { transaction_date: `2026-03-${day}T00:00:00Z`, amount: 2_500 }),
      ...{ card_token: 'tok', reference: `WEB-${day}`, ...more },
    });
  const declined = { successful: false, message: 'Insufficient Funds' };
  await opened.ledger.remember([
    seen('customer', { id: '071-C-1', reference: 'C-1', card_token: 'tok' }),
    paid('071-P-1', '01'),
    paid('071-P-2', '02', { ...declined, source: 'Recurring', reference: 'SUB-1' }),
    paid('071-P-3', '03', { amount: 2_400 }),
    paid('071-P-4', '04', { card_token: 'other' }),
    paid('071-P-5', '05'),
    paid('071-P-6', '06'),
  ]);
  const { things } = opened.ledger;
  const known = { things, scope: SCOPE };
  const { rows } = await unpaidRows(known, [], ALL, false);
  expect(await perhapsPaid(known, rows)).toEqual([
    expect.stringMatching(
      /^SUB-1 of .* may be paid: WEB-05 of 2026-03-05 took the same amount later/,
    ),
  ]);
  const items = await timelineOf(NO_EVENTS, await things.search({ limit: 99 }));
  expect(sumsOf(items)).toMatchObject([{ unpaid: { count: 1, paidSince: ['WEB-05'] } }]);
});

/** Payments of many names: some tried several times, some paid by a later try, in both currencies, some without a name. */
async function manyPayments() {
  const { ledger } = await openDesk();
  const tries = Array.from({ length: 900 }, (_, n) => {
    const isCharge = n % 3 === 0;
    const name = n % 7 === 0 ? null : `${isCharge ? 'SUB' : 'INV'}-${(n * 13) % 260}`;
    const at = new Date(Date.UTC(2026, 0, 1) + n * 7_200_000).toISOString();
    const more = { reference: name, currency: n % 11 === 0 ? 'USD' : 'AUD' };
    const declined = { successful: false, message: 'Insufficient Funds' };
    return seen('purchase', {
      ...purchase(`071-P-${n}`, { transaction_date: at, amount: 100 + n }),
      ...more,
      ...(isCharge && { source: 'Recurring' }),
      ...((n * n) % 5 !== 1 && declined),
    });
  });
  await ledger.remember(tries);
  return ledger.things;
}

test.each([
  ['a few', desk],
  ['many', manyPayments],
])('%s add up to the sums of the history', async (_, payments) => {
  const things = await payments();
  const all: Thing[] = [];
  for await (const thing of things.each({ scope: SCOPE })) all.unshift(thing);
  const { rows: both } = await unpaidRows({ things, scope: SCOPE }, [], ALL, true);
  const rows = both.filter(({ currency }) => currency === 'AUD');
  const [sums] = sumsOf(await timelineOf(NO_EVENTS, all));
  expect(sums?.unpaid).toEqual({
    count: rows.length,
    amount: rows.reduce((sum, { amount }) => sum + amount, 0),
    tries: rows.reduce((sum, { tries }) => sum + tries, 0),
  });
});

test('a customer owes the sum of its charges in each currency, since the first of them', () => {
  const row = (since: string, amount: number, more: Partial<UnpaidRow> = {}): UnpaidRow => ({
    ...{ since, lastTry: since, amount, currency: 'AUD', tries: 1, reason: null, nextRetry: null },
    ...{ id: null, who: 'Ada', email: null, customer: 'C-1', subscription: null, reference: null },
    ...{ lastFour: null, profile: null, ...more },
  });
  const rows = [
    row('2026-01-01', 700),
    row('2026-01-02', 300, { customer: null, who: 'Bob' }),
    row('2026-01-03', 800, { who: 'Ada Byron' }),
    row('2026-01-04', 90, { currency: 'JPY' }),
  ];
  expect(unpaidByCustomer(rows)).toMatchObject([
    { customer: 'C-1', since: '2026-01-01', charges: 2, amount: 1_500n, currency: 'AUD' },
    { customer: null, who: 'Bob', since: '2026-01-02', charges: 1, amount: 300n },
    { customer: 'C-1', since: '2026-01-04', charges: 1, amount: 90n, currency: 'JPY' },
  ]);
  expect(payersIn(rows)).toBe(2);
});
