/** Each thing is one item of the timeline, whoever told of it, and counts once in the sums. */

import { describe, expect, test } from 'vitest';
import { sumsOf } from '../../../../src/desk/history/sums.ts';
import { timelineOf } from '../../../../src/desk/history/timeline.ts';
import type { StoredEvent } from '../../../../src/events/event.ts';
import type { ThingOutcome } from '../../../../src/things/thing.ts';
import type { Item } from '../../../../src/view/panels/ties.ts';
import { knownOf, type NamedThing, thing } from '../known-things.ts';

const PAID = { amount: 2_500, currency: 'AUD', outcome: 'approved' } as const;
const purchase = thing({ kind: 'purchase', id: 'P1', ...PAID, message: 'Approved' });
const request = thing({
  kind: 'request',
  id: 'E1',
  ...PAID,
  outcome: 'done',
  label: 'purchase create',
});
const event = thing({
  kind: 'event',
  id: '7',
  ...PAID,
  purchase: 'P1',
  label: 'charge:successful',
});

const told = (things: readonly NamedThing[], events: readonly StoredEvent[] = []) =>
  timelineOf(knownOf(things, {}, events), things);
const brief = (items: readonly Item[]) => items.map(({ what, outcome }) => [what, outcome]);

test('a purchase is one item that names its record, its events and its requests', async () => {
  const items = await told([thing({ ...purchase, isSeen: true, events: [7], requests: ['E1'] })]);
  expect(items).toMatchObject([{ what: 'purchase', id: 'P1', amount: 2_500 }]);
  expect(items[0]?.sources).toEqual([
    { kind: 'record', id: 'P1' },
    { kind: 'event', id: '7' },
    { kind: 'request', id: 'E1' },
  ]);
});

test('a request of one’s own is an item by itself, and neither paid nor refunded', async () => {
  const label = 'api POST /v1.0/refunds/R1/void';
  const own = thing({ kind: 'request', id: 'E3', ...PAID, amount: 700, outcome: 'done', label });
  const lost = thing({ ...own, id: 'E4', outcome: 'unknown' });
  const items = await told([own, lost, purchase]);
  expect(brief(items).toSorted()).toEqual([
    ['purchase', 'approved'],
    ['request', 'done'],
    ['request', 'unknown'],
  ]);
  expect(sumsOf(items)).toMatchObject([
    { paid: { count: 1, amount: 2_500 }, refunded: { count: 0 }, unknown: { amount: 700 } },
  ]);
});

test('an event that the gateway contradicts is told apart, and is no money', async () => {
  const lie = { ...event, outcome: 'contradicted', amount: 999_999 } as const;
  const items = await told([lie, purchase]);
  expect(brief(items)).toEqual(expect.arrayContaining([['event', 'contradicted']]));
  expect(sumsOf(items)).toMatchObject([{ paid: { count: 1, amount: 2_500 } }]);
});

test('a refund comes after its purchase', async () => {
  const refund = thing({
    ...{ kind: 'refund', id: 'R1', amount: -500, currency: 'AUD', outcome: 'approved' },
    ...{ purchase: 'P1', requests: ['E2'] },
  });
  const items = await told([refund, purchase]);
  expect(brief(items)).toEqual([
    ['purchase', 'approved'],
    ['refund', 'approved'],
  ]);
  expect(sumsOf(items)).toMatchObject([
    { paid: { amount: 2_500 }, refunded: { count: 1, amount: 500 } },
  ]);
});

test('of two purchases in one second, the first comes first', async () => {
  const items = await told([thing({ ...purchase, id: 'P2' }), purchase]);
  expect(items.map(({ id }) => id)).toEqual(['P1', 'P2']);
});

test.each<[ThingOutcome, object]>([
  ['sending', { unknown: { count: 1, amount: 2_500 } }],
  ['unknown', { unknown: { count: 1, amount: 2_500 } }],
  ['declined', { unpaid: { count: 1, amount: 2_500, tries: 1 } }],
])('a request without a record that is %s is summed as %j', async (state, expected) => {
  const items = await told([{ ...request, outcome: state }]);
  expect(sumsOf(items)).toMatchObject([{ paid: { count: 0 }, ...expected }]);
});

test.each(['rejected', 'not-sent', 'not-done'] as const)(
  'a request that was %s is no money',
  async (state) => {
    const items = await told([{ ...request, outcome: state }]);
    expect(items).toMatchObject([{ what: 'purchase', outcome: state }]);
    expect(sumsOf(items)).toEqual([]);
  },
);

describe('charges of a subscription', () => {
  const charge = (day: string, outcome: ThingOutcome) =>
    thing({
      ...PAID,
      kind: 'purchase',
      id: `P-${day}`,
      at: `2026-02-${day}T23:59:59Z`,
      outcome,
      reference: 'SUB-1',
      subscription: 'SUB-1',
      label: 'Recurring',
    });

  test('those on the days after one that failed are its retries, three at the most', async () => {
    const days = ['01', '02', '03', '04', '05'];
    const items = await told(days.map((day) => charge(day, 'declined')));
    expect(items.map(({ what, retry }) => [what, retry])).toEqual([
      ['charge', 0],
      ['retry', 1],
      ['retry', 2],
      ['retry', 3],
      ['charge', 0],
    ]);
  });

  test('what is unpaid counts each charge once, and no charge that a retry paid', async () => {
    const unpaidOf = async (...outcomes: ThingOutcome[]) => {
      const things = outcomes.map((outcome, n) => charge(`0${n + 1}`, outcome));
      return sumsOf(await told(things.toReversed()))[0]?.unpaid;
    };
    const [no, yes] = ['declined', 'approved'] as const;
    expect(await unpaidOf(no, no, no, no)).toEqual({ count: 1, amount: 2_500, tries: 4 });
    expect(await unpaidOf(no, no, no, no, no)).toEqual({ count: 2, amount: 5_000, tries: 5 });
    expect(await unpaidOf(no, yes)).toMatchObject({ count: 0, tries: 0 });
    expect(await unpaidOf(no, no, no, no, yes)).toMatchObject({ count: 1, tries: 4 });
  });

  test('one on the day after a charge that was paid is the next one', async () => {
    const items = await told([charge('01', 'approved'), charge('02', 'declined')]);
    expect(items.map(({ what }) => what)).toEqual(['charge', 'charge']);
  });

  test('one that was announced has its announcement as a source', async () => {
    const things = [
      thing({ ...charge('01', 'approved'), events: [2], subscription: 'SUB-1' }),
      thing({ kind: 'subscription', id: 'S1', reference: 'SUB-1', events: [1, 2, 3] }),
    ];
    const pending = {
      event: 'charge:pending',
      outcome: 'pending',
      receivedAt: '2026-02-02T00:00:00Z',
    };
    const events = [1, 2, 3].map((id) => ({ ...pending, id }) as StoredEvent);
    const items = await told(things, events);
    expect(items.map(({ what, sources }) => [what, sources.map(({ id }) => id)])).toEqual([
      ['charge', ['2', '1']],
      ['announced', ['3']],
    ]);
  });
});

test('a webhook about an expired card is an item of the customer whom it names', async () => {
  const things = [thing({ kind: 'customer', id: 'C1', who: 'Ada', isSeen: true, events: [4] })];
  const expired = {
    id: 4,
    event: 'card:expired',
    outcome: 'expired',
    receivedAt: '2026-04-01T00:00:00Z',
  };
  const items = await told(things, [expired as StoredEvent]);
  expect(items).toMatchObject([
    { what: 'customer', sources: [{ kind: 'record', id: 'C1' }] },
    { what: 'card-expired', who: 'Ada', isMoney: false, sources: [{ kind: 'event', id: '4' }] },
  ]);
});

test('a notice of the test gateway has the time that its own clock had', async () => {
  const things = [thing({ kind: 'customer', id: 'C1', who: 'Ada', isSeen: true, events: [4] })];
  const expired = {
    ...{ id: 4, event: 'card:expired', outcome: 'expired', receivedAt: '2026-11-30T00:00:00Z' },
    headers: [['date', 'Sun, 01 Mar 2026 23:59:59 GMT']],
  };
  const dayOf = async (profile: string) => {
    const items = await told(things, [{ ...expired, profile } as unknown as StoredEvent]);
    return items.find(({ what }) => what === 'card-expired')?.at;
  };
  expect(await dayOf('local')).toBe('2026-03-01T23:59:59.000Z');
  expect(await dayOf('sandbox')).toBe('2026-11-30T00:00:00Z');
});

test.each([
  ['before two replacements', '2026-03-01T00:00:00.000Z', '1111'],
  ['between them', '2026-03-15T00:00:00.000Z', '2222'],
  ['after them', '2026-04-15T00:00:00.000Z', '3333'],
])('a notice %s has the last digits of the card of that day', async (_, receivedAt, lastFour) => {
  const deed = { what: 'changed', fields: ['card'], operator: 'ada', note: null } as const;
  const deeds = [
    { ...deed, at: '2026-03-10T00:00:00.000Z', replaced: '1111' },
    { ...deed, at: '2026-03-12T00:00:00.000Z' },
    { ...deed, at: '2026-04-10T00:00:00.000Z', replaced: '2222' },
  ];
  const customer = thing({ kind: 'customer', id: 'C1', lastFour: '3333', events: [4] });
  customer.sources = { ...customer.sources, record: { seenAt: receivedAt, deeds } };
  const notice = { id: 4, event: 'card:expiring', outcome: 'expiring', receivedAt };
  const items = await told([customer], [notice as StoredEvent]);
  expect(items.find(({ what }) => what === 'card-expiring')).toMatchObject({ lastFour });
});

test('each change by a person is an item, with who did it and why', async () => {
  const deeds = [
    { at: '2026-03-10T10:00:00Z', what: 'created', fields: [], operator: 'ada', note: null },
    {
      at: '2026-03-11T10:00:00Z',
      dated: '2026-03-11T08:00:00Z',
      what: 'stopped',
      fields: [],
      operator: 'bob',
      note: 'asked',
    },
    { at: '2026-03-12T10:00:00Z', what: 'changed', fields: ['email'], operator: 'ada', note: null },
  ] as const;
  const subscription = thing({ kind: 'subscription', id: 'S1', reference: 'SUB-1' });
  const record = { seenAt: '2026-03-12T10:00:00Z', deeds };
  const items = await told([{ ...subscription, sources: { ...subscription.sources, record } }]);
  expect(items).toMatchObject([
    { what: 'subscription', operator: 'ada' },
    { what: 'deed', label: 'stopped', at: '2026-03-11T08:00:00Z', operator: 'bob', note: 'asked' },
    { what: 'deed', label: 'changed', message: 'email', operator: 'ada' },
  ]);
});

test('changes at one time of the test gateway are in the order in which they were made', async () => {
  const deed = { fields: [], operator: 'ada', note: null, dated: '2026-04-01T00:00:00Z' };
  const changed = (at: string, what: 'changed' | 'stopped') => {
    const one = thing({ kind: what === 'stopped' ? 'subscription' : 'customer', id: what });
    const record = { seenAt: at, deeds: [{ ...deed, at, what }] };
    return { ...one, sources: { ...one.sources, record } };
  };
  const stopped = changed('2026-11-30T10:00:00Z', 'stopped');
  const items = await told([stopped, changed('2026-11-30T10:00:05Z', 'changed')]);
  const deeds = items.filter(({ what }) => what === 'deed');
  expect(deeds.map(({ label }) => label)).toEqual(['stopped', 'changed']);
});

test('the end of a subscription is an item on its last day, behind the charge of that day', async () => {
  const of = { kind: 'subscription', id: 'S1', isSeen: true, at: '2026-02-01' } as const;
  const one = { ...thing(of), endsOn: '2026-02-28', subscription: 'S1' };
  const charge = thing({ ...purchase, at: '2026-02-28T12:00:00Z', label: 'Recurring' });
  const whats = async (outcome: ThingOutcome) =>
    (await told([charge, { ...one, outcome }])).map(({ what, at }) => [what, at.slice(0, 10)]);
  expect(await whats('ended')).toEqual([
    ['subscription', '2026-02-01'],
    ['charge', '2026-02-28'],
    ['end', '2026-02-28'],
  ]);
  expect(await whats('active')).not.toContainEqual(['end', '2026-02-28']);
});
