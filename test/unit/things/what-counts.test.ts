/** A thing counts the same in the function, in the sums of a report and in those of a history. */
import { expect, test } from 'vitest';
import { sumsOf } from '../../../src/desk/history/sums.ts';
import { timelineOf } from '../../../src/desk/history/timeline.ts';
import { THING_KINDS, THING_OUTCOMES } from '../../../src/things/thing.ts';
import {
  type Counted,
  type Counts,
  isRefund,
  whatCounts,
} from '../../../src/things/what-counts.ts';
import { EMPTY_THING } from './empty-thing.ts';
import { sqliteIndex } from './sqlite-index.ts';

type Case = readonly [of: Partial<Counted>, counts: Counts | undefined, sum?: string];

const RECURRING = { label: 'Recurring' };
const CUSTOM = { kind: 'request', told: 'request', label: 'api POST /v1.0/odd' } as const;
const sent = (label: string) => ({ kind: 'request', told: 'request', label }) as const;

const CASES: readonly Case[] = [
  [{ outcome: 'approved' }, 'purchases', 'paid'],
  [{ outcome: 'approved', ...RECURRING }, 'charges', 'paid'],
  [{ outcome: 'approved', kind: 'event', told: 'event' }, 'charges', 'paid'],
  [{ outcome: 'approved', kind: 'refund' }, 'refunds', 'refunded'],
  [{ outcome: 'declined' }, 'declines', 'unpaid'],
  [{ outcome: 'declined', kind: 'refund' }, 'declines', 'notRefunded'],
  // A charge that was given up after its retries.
  [{ outcome: 'abandoned', ...RECURRING }, 'declines', 'unpaid'],
  [{ outcome: 'unclear' }, 'unclear'],
  [{ outcome: 'authorised' }, undefined],
  [{ outcome: 'voided' }, undefined],
  [{ outcome: 'rejected' }, undefined],
  [{ outcome: 'approved', told: 'heard' }, 'heard', 'heard'],
  [{ outcome: 'declined', told: 'heard' }, undefined],
  [{ outcome: 'unclear', told: 'heard' }, undefined],
  [{ outcome: 'done', ...sent('purchase create') }, 'purchases', 'paid'],
  [{ outcome: 'done', ...sent('refund create') }, 'refunds', 'refunded'],
  [{ outcome: 'declined', ...sent('refund create') }, 'declines', 'notRefunded'],
  [{ outcome: 'unknown', ...sent('refund create') }, 'unknown', 'unknown'],
  [{ outcome: 'sending', ...sent('purchase create') }, 'unknown', 'unknown'],
  [{ outcome: 'rejected', ...sent('purchase create') }, undefined],
  [{ outcome: 'not-sent', ...sent('refund create') }, undefined],
  [{ outcome: 'not-done', ...sent('refund create') }, undefined],
  // The price of a plan is no money that moved, whatever became of the request.
  [{ outcome: 'unknown', ...sent('plan create') }, undefined],
  [{ outcome: 'done', ...sent('plan create') }, undefined],
  [{ outcome: 'done', ...CUSTOM }, 'other'],
  [{ outcome: 'unknown', ...CUSTOM }, 'unknown', 'unknown'],
  [{ outcome: 'declined', ...CUSTOM }, undefined],
  // An event of a name that gw does not know tells of no charge.
  [{ outcome: 'unknown', kind: 'event', told: 'event' }, undefined],
  [{ outcome: 'contradicted', kind: 'event', told: 'event' }, undefined],
  [{ outcome: 'sample', kind: 'event', told: 'event' }, undefined],
  [{ outcome: 'approved', kind: 'card' }, undefined],
  [{ outcome: 'active', kind: 'subscription' }, undefined],
];

const NAMED = CASES.map(([of, counts, sum]) => ({ of, counts, sum }));

const thingOf = (of: Partial<Counted>) => ({
  ...EMPTY_THING,
  ...{ amount: 500, currency: 'AUD', ...of },
});

test.each(NAMED)('$of counts as $counts', ({ of, counts }) => {
  expect(whatCounts(thingOf(of))).toBe(counts);
});

test.each(NAMED)('a history adds $of up in $sum', async ({ of, sum }) => {
  const items = await timelineOf({ events: async () => [] }, [thingOf(of)]);
  const sums = sumsOf(items).flatMap(({ currency, ...all }) =>
    Object.entries(all).filter(([, { count }]) => count > 0),
  );
  expect(sums).toMatchObject(sum === undefined ? [] : [[sum, { count: 1, amount: 500 }]]);
  expect(sums).toHaveLength(sum === undefined ? 0 : 1);
});

test('the sums of the table of things keep apart all that counts differently', async () => {
  const { things, put } = sqliteIndex();
  await put(CASES.map(([of], n) => ({ ...thingOf(of), id: `f-${n}` })));
  const totals = await things.totals({
    scope: { profile: 'shop', environment: 'live', account: null, host: null },
    ...{ from: '2026-03-01T00:00:00Z', until: '2026-04-01T00:00:00Z', by: 'reason' },
  });
  const count = (wanted: Counts) =>
    totals
      .filter((total) => whatCounts(total) === wanted)
      .reduce((sum, { count: some }) => sum + some, 0);
  for (const wanted of new Set(CASES.flatMap(([, counts]) => counts ?? [])))
    expect(count(wanted), wanted).toBe(CASES.filter(([, counts]) => counts === wanted).length);
});

test('a refund is one by its kind, or by the request that was to make it', () => {
  expect(isRefund({ kind: 'refund', label: null })).toBe(true);
  expect(isRefund(sent('refund create'))).toBe(true);
  expect(isRefund(sent('purchase create'))).toBe(false);
  expect(isRefund({ kind: 'purchase', label: 'refund create' })).toBe(false);
});

test('nothing counts but money', () => {
  for (const kind of THING_KINDS)
    for (const outcome of THING_OUTCOMES)
      if (!['purchase', 'refund', 'request', 'event'].includes(kind))
        expect(whatCounts(thingOf({ kind, outcome }))).toBeUndefined();
});
