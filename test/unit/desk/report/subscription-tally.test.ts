/** Subscriptions are counted by the gateway's own dates. */
import { expect, test } from 'vitest';
import type { KnownSubscription } from '../../../../src/desk/report/report-view.ts';
import { SubscriptionTally } from '../../../../src/desk/report/subscription-tally.ts';

const FRAME = { period: '2026-03', from: '', until: '', timeZone: 'UTC', profile: 'local' };
const BASE = {
  ...{ name: 'S', plan: '071-PL-1', frequency: 'Monthly', start: '2026-01-05', end: null },
  ...{ next: '2026-04-05', isActive: true, amount: 1_000, currency: 'AUD' },
} as unknown as KnownSubscription;
const PLAN = { id: '071-PL-1', reference: 'gold' };

function tallied(...changes: Partial<KnownSubscription>[]) {
  const tally = new SubscriptionTally({ first: '2026-03-01', next: '2026-04-01' }, [PLAN as never]);
  for (const change of changes) tally.add({ ...BASE, ...change });
  return tally;
}

test.each([
  ['goes on', {}, [1, 0, 0, 1]],
  ['begins on the first day', { start: '2026-03-01' }, [0, 1, 0, 1]],
  ['begins on the last day', { start: '2026-03-31' }, [0, 1, 0, 1]],
  ['begins after it', { start: '2026-04-01' }, [0, 0, 0, 0]],
  ['misses its charge in it', { isActive: false, next: '2026-03-05' }, [1, 0, 1, 0]],
  ['misses it on the last day', { isActive: false, next: '2026-03-31' }, [1, 0, 1, 0]],
  ['misses it on the first day', { isActive: false, next: '2026-03-01' }, [1, 0, 1, 0]],
  ['missed it before', { isActive: false, next: '2026-02-05' }, [0, 0, 0, 0]],
  ['misses it later', { isActive: false, next: '2026-04-05' }, [1, 0, 0, 1]],
  ['ends with the month', { end: '2026-03-31' }, [1, 0, 0, 1]],
  ['ends in it', { end: '2026-03-15', next: null }, [1, 0, 1, 0]],
  ['begins and stops', { start: '2026-03-02', isActive: false, next: '2026-03-09' }, [0, 1, 1, 0]],
  ['was never active', { start: '2026-03-02', isActive: false, next: '2026-03-02' }, [0, 0, 0, 0]],
] as const)('one that %s: %j', (_, change, expected) => {
  const [all] = tallied(change).rowsOf(FRAME);
  const counts = all && [all.activeBefore, all.new, all.stopped, all.active];
  expect(counts ?? [0, 0, 0, 0]).toEqual(expected);
});

test('the amount of a month is a twelfth of a year, rounded once', () => {
  const tally = tallied(
    { frequency: 'Weekly', amount: 100 },
    { frequency: 'Daily', amount: 1 },
    {
      frequency: 'Annually',
      amount: 10,
    },
  );
  expect(tally.rowsOf(FRAME)[0]?.amount).toBe(465n);
});

test('the rows of the plans add up to that of their currency', () => {
  const weekly = { frequency: 'Weekly', amount: 100 } as const;
  const [all, ...plans] = tallied(weekly, { ...weekly, plan: 'other' }).rowsOf(FRAME);
  expect(plans.map(({ amount }) => amount)).toEqual([433n, 433n]);
  expect(all?.amount).toBe(866n);
});

test('each plan has a row under its reference below that of its currency', () => {
  const tally = tallied({}, { plan: 'gold', isActive: false, next: '2026-03-05' }, { plan: null });
  tally.addGivenUp({ plan: 'gold', currency: 'AUD' });
  const rows = tally.rowsOf(FRAME);
  expect(
    rows.map(({ plan, activeBefore, stopped, givenUp }) => [plan, activeBefore, stopped, givenUp]),
  ).toEqual([
    [null, 3, 1, 1],
    ['gold', 2, 1, 1],
    ['?', 1, 0, 0],
  ]);
  expect(rows[1]?.churn).toBe(0.5);
});
