/** gw adds up each day's settled payments and refunds from the ledger. */
import { expect, test } from 'vitest';
import { openTimeZone } from '../../../../src/base/time-zone.ts';
import { settledDays } from '../../../../src/commands/reconcile/settled-days.ts';
import type { Thing } from '../../../../src/things/thing.ts';
import type { SearchFilter } from '../../../../src/things/thing-index.ts';
import { EMPTY_THING } from '../../things/empty-thing.ts';

const SEEN = '2026-01-31T00:00:00Z';
const SCOPE = { account: 'local TEST', profile: 'local', environment: 'local', host: 'embedded' };
const PERIOD = { since: '2026-01-01', until: '2026-02-01', scope: SCOPE };

const thing = (id: string, others: Partial<Thing>): Thing => ({
  ...EMPTY_THING,
  ...{ kind: 'purchase', id, at: '2026-01-05T23:30:00Z', outcome: 'approved', told: 'record' },
  ...{ amount: 100, currency: 'AUD' },
  ...others,
});

async function settled(things: Thing[], zone = 'UTC') {
  const asked: SearchFilter[] = [];
  const each = async function* (filter: SearchFilter) {
    asked.push(filter);
    yield* things;
  };
  const rules = { zone: openTimeZone(zone), usual: 'NZD' };
  return { ...(await settledDays({ each }, PERIOD, rules)), asked };
}

test('payments, charges and refunds of a day are added up, and listed', async () => {
  const { days, uncertain, asked } = await settled([
    thing('1', { reference: 'INV-1' }),
    thing('2', { label: 'Recurring', amount: 50 }),
    thing('3', { kind: 'refund', amount: -30 }),
    thing('4', { kind: 'request', label: 'purchase create', outcome: 'done', amount: 7 }),
    thing('5', { outcome: 'declined' }),
    thing('6', { outcome: 'authorised' }),
    thing('7', { kind: 'request', label: 'purchase create', outcome: 'unknown' }),
    thing('8', { told: 'heard' }),
    thing('9', { outcome: 'unclear' }),
  ]);
  expect(days).toMatchObject([{ day: '2026-01-05', currency: 'AUD', amount: 127 }]);
  expect(days[0]?.records).toEqual([
    { kind: 'purchase', id: '1', reference: 'INV-1', amount: 100 },
    { kind: 'purchase', id: '2', reference: null, amount: 50 },
    { kind: 'refund', id: '3', reference: null, amount: -30 },
    { kind: 'request', id: '4', reference: null, amount: 7 },
  ]);
  expect(uncertain.map(({ id }) => id)).toEqual(['7', '8', '9']);
  expect(asked).toEqual([expect.objectContaining({ scope: SCOPE, since: '2026-01-01' })]);
});

test('the day is that of the settlement, else that of the transaction in the zone', async () => {
  const record = { seenAt: SEEN, settledOn: '2026-01-08' };
  const event = { ...record, settledOn: '2026-01-09', event: 1, isPending: false };
  const none = { requests: {}, events: [] };
  const things = [
    thing('1', { sources: { ...none, record, event } }),
    thing('2', { sources: { ...none, event } }),
    thing('3', { sources: { ...none, record: { seenAt: SEEN, settledOn: null } } }),
    thing('4', { at: '2026-01-01', currency: null }),
  ];
  const daysIn = async (zone: string) =>
    (await settled(things, zone)).days.map(({ day, currency }) => `${day} ${currency}`);
  const last = ['2026-01-08 AUD', '2026-01-09 AUD'];
  expect(await daysIn('UTC')).toEqual(['2026-01-01 NZD', '2026-01-05 AUD', ...last]);
  expect(await daysIn('Australia/Sydney')).toEqual(['2026-01-01 NZD', '2026-01-06 AUD', ...last]);
});
