/** Subscriptions are counted by the gateway's own dates. */
import { expect, test } from 'vitest';
import type { KnownSubscription } from '../../../../src/desk/report/report-view.ts';
import { changesIn, livesOf } from '../../../../src/desk/report/subscription-lives.ts';
import { SubscriptionTally } from '../../../../src/desk/report/subscription-tally.ts';

const FRAME = { period: '2026-03', from: '', until: '', timeZone: 'UTC', profile: 'local' };
const BASE = {
  ...{ name: 'S', plan: '071-PL-1', frequency: 'Monthly', start: '2026-01-05', end: null },
  ...{ next: '2026-04-05', isActive: true, amount: 1_000, currency: 'AUD' },
  ...{ stoppedOn: null, stopCause: null, movedTo: null },
} as unknown as KnownSubscription;
const STOPPED = { isActive: false, next: '2026-03-05' };
const PLAN = { id: '071-PL-1', reference: 'gold' };

const MARCH = { first: '2026-03-01', next: '2026-04-01' };

function tallied(...changes: Partial<KnownSubscription>[]) {
  const tally = new SubscriptionTally(MARCH, [PLAN as never]);
  for (const life of livesOf(changes.map((change) => ({ ...BASE, ...change })))) tally.add(life);
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
  ['was stopped in it', { ...STOPPED, stoppedOn: '2026-03-10', next: '2026-04-05' }, [1, 0, 1, 0]],
  ['was stopped before it', { ...STOPPED, stoppedOn: '2026-02-10' }, [0, 0, 0, 0]],
  ['was stopped again', { ...STOPPED, stoppedOn: '2026-03-10', next: '2026-02-05' }, [0, 0, 0, 0]],
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

const MOVED = { ...STOPPED, stoppedOn: '2026-03-10', stopCause: 'moved', movedTo: 'B' } as const;
const SILVER = { name: 'B', plan: 'silver', start: '2026-03-20' };

test('a move to another plan is neither new nor stopped', () => {
  const rows = tallied(MOVED, SILVER).rowsOf(FRAME);
  expect(
    rows.map(({ plan, activeBefore, new: begun, moved, stopped, active }) => [
      ...[plan, activeBefore, begun, moved, stopped, active],
    ]),
  ).toEqual([
    [null, 1, 0, 0, 0, 1],
    ['gold', 1, 0, -1, 0, 0],
    ['silver', 0, 0, 1, 0, 1],
  ]);
  expect(rows.map(({ churn }) => churn)).toEqual([0, 0, null]);
});

test('one that was moved counts until the other begins', () => {
  const [all] = tallied(MOVED, { ...SILVER, start: '2026-04-15' }).rowsOf(FRAME);
  expect([all?.stopped, all?.active]).toEqual([0, 1]);
});

test('one that was moved twice before it began is passed over', () => {
  const first = { ...SILVER, isActive: false, next: '2026-03-20', movedTo: 'C' };
  const [all] = tallied(MOVED, first, { name: 'C', start: '2026-03-25' }).rowsOf(FRAME);
  expect([all?.new, all?.moved, all?.stopped, all?.active]).toEqual([0, 0, 0, 1]);
});

test('a move whose second step was not done is a stop', () => {
  const [all] = tallied(MOVED).rowsOf(FRAME);
  expect([all?.moved, all?.stopped]).toEqual([0, 1]);
});

test('each change of a period has its day, in their order', () => {
  const known = [
    { ...MOVED, name: 'A' },
    SILVER,
    { ...STOPPED, name: 'D' },
    { name: 'E', start: '2026-03-02', end: '2026-03-30', next: null },
    { name: 'F', end: '2026-03-31', next: null },
  ].map((change) => ({ ...BASE, ...change }));
  expect(
    changesIn(livesOf(known), MARCH).map(({ day, what, life }) => [
      ...[day, what, life.subscription.name],
    ]),
  ).toEqual([
    ['2026-03-02', 'new', 'E'],
    ['2026-03-05', 'stopped', 'D'],
    ['2026-03-20', 'moved', 'A'],
    ['2026-03-31', 'ended', 'E'],
  ]);
});
