/** That what happened is told once, whoever tells of it, and that sums count it once. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sumsOf } from '../../../../src/desk/history/sums.ts';
import { timelineOf } from '../../../../src/desk/history/timeline.ts';
import type { Item } from '../../../../src/view/cards/timeline-item.ts';
import { document, knownOf, type NamedDocument } from '../known-documents.ts';

const PAID = { amount: 2_500, currency: 'AUD', outcome: 'approved' } as const;
const purchase = document({ kind: 'purchase', id: 'P1', ...PAID, message: 'Approved' });
const request = document({
  kind: 'request',
  id: 'E1',
  ...PAID,
  outcome: 'done',
  label: 'purchase create',
});
const event = document({
  kind: 'event',
  id: '7',
  ...PAID,
  purchase: 'P1',
  label: 'charge:successful',
});
const MADE = { E1: { recordId: 'P1', refundOf: null }, E2: { recordId: 'R1', refundOf: 'P1' } };

const told = (documents: readonly NamedDocument[], entries = {}, records = {}) =>
  timelineOf(knownOf(documents, entries, records), documents);
const brief = (items: readonly Item[]) => items.map(({ what, outcome }) => [what, outcome]);

test('a record, its request and its event are one item that names all three', async () => {
  const items = await told([event, request, purchase], MADE);
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({ what: 'purchase', id: 'P1', amount: 2_500 });
  expect(items[0]?.sources).toEqual([
    { kind: 'record', id: 'P1' },
    { kind: 'event', id: '7' },
    { kind: 'request', id: 'E1' },
  ]);
});

test('a request of one’s own is an item by itself, and neither paid nor refunded', async () => {
  const label = 'api POST /v1.0/refunds/R1/void';
  const own = document({ kind: 'request', id: 'E3', ...PAID, amount: 700, outcome: 'done', label });
  const lost = { ...own, id: 'E4', outcome: 'unknown' };
  const entries = { ...MADE, E3: { recordId: 'P1', refundOf: null } };
  const items = await told([own, lost, request, purchase], entries);
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
  const lie = { ...event, outcome: 'contradicted', amount: 999_999 };
  const items = await told([lie, purchase]);
  expect(brief(items)).toEqual(expect.arrayContaining([['event', 'contradicted']]));
  expect(sumsOf(items)).toMatchObject([{ paid: { count: 1, amount: 2_500 } }]);
});

test('a refund has the currency of its purchase and comes after it', async () => {
  const refund = document({
    kind: 'refund',
    id: 'R1',
    amount: -500,
    outcome: 'approved',
    purchase: 'P1',
  });
  const sent = document({
    kind: 'request',
    id: 'E2',
    amount: 500,
    outcome: 'done',
    purchase: 'P1',
  });
  const items = await told([refund, sent, purchase], MADE);
  expect(brief(items)).toEqual([
    ['purchase', 'approved'],
    ['refund', 'approved'],
  ]);
  expect(sumsOf(items)).toEqual([
    {
      currency: 'AUD',
      paid: { count: 1, amount: 2_500 },
      refunded: { count: 1, amount: 500 },
      net: 2_000,
      declined: { count: 0, amount: 0 },
      unknown: { count: 0, amount: 0 },
    },
  ]);
});

test.each([
  ['sending', { unknown: { count: 1, amount: 2_500 } }],
  ['unknown', { unknown: { count: 1, amount: 2_500 } }],
  ['declined', { declined: { count: 1, amount: 2_500 } }],
])('a request without a record that is %s is summed as %j', async (state, expected) => {
  const items = await told([{ ...request, outcome: state }], { E1: { recordId: null } });
  expect(sumsOf(items)).toMatchObject([{ paid: { count: 0 }, net: 0, ...expected }]);
});

test.each(['rejected', 'not-sent', 'not-done'])(
  'a request that was %s is no money',
  async (state) => {
    const items = await told([{ ...request, outcome: state }], { E1: { recordId: null } });
    expect(items).toMatchObject([{ what: 'purchase', outcome: state }]);
    expect(sumsOf(items)).toEqual([]);
  },
);

describe('charges of a subscription', () => {
  const charge = (day: string, outcome: string) =>
    document({
      ...PAID,
      kind: 'purchase',
      id: `P-${day}`,
      at: `2026-02-${day}T23:59:59Z`,
      outcome,
      reference: 'SUB-1',
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

  test('one on the day after a charge that was paid is the next one', async () => {
    const items = await told([charge('01', 'approved'), charge('02', 'declined')]);
    expect(items.map(({ what }) => what)).toEqual(['charge', 'charge']);
  });

  test('one that was announced has its announcement as a source', async () => {
    const [at, seenAt] = ['2026-02-01T23:59:59Z', '2026-02-02T00:00:00Z'];
    const pending = document({
      ...{ kind: 'event', id: '1', at: seenAt, seenAt, label: 'charge:pending' },
      ...{ outcome: 'pending', subscription: 'SUB-1' },
    });
    const paid = { ...event, id: '2', at, purchase: 'P-01', subscription: 'SUB-1' };
    const items = await told([pending, paid, { ...pending, id: '3' }]);
    expect(items.map(({ what, sources }) => [what, sources.map(({ id }) => id)])).toEqual([
      ['charge', ['2', '1']],
      ['announced', ['3']],
    ]);
  });
});

test('a subscription is told of on its first day', async () => {
  const documents = [
    document({ kind: 'subscription', id: 'S1', reference: 'SUB-1', outcome: 'active' }),
  ];
  const items = await told(documents, {}, { S1: { start_date: '2026-02-01' } });
  expect(items).toMatchObject([{ what: 'subscription', at: '2026-02-01' }]);
});

/** Documents of few purchases, so that several tell of the same. */
const someDocuments = fc
  .array(
    fc.record({
      kind: fc.constantFrom('purchase', 'refund', 'event', 'request', 'customer'),
      of: fc.integer({ min: 1, max: 5 }),
      amount: fc.integer({ min: 1, max: 999_999 }),
      currency: fc.constantFrom('AUD', 'JPY', null),
      outcome: fc.constantFrom('approved', 'declined', 'contradicted'),
      at: fc
        .date({ min: new Date('2026-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
        .map((date) => date.toISOString()),
    }),
    { maxLength: 30 },
  )
  .map((rows) => {
    const documents = rows.map(({ of, kind, ...row }, index) => {
      const own = kind === 'purchase' || kind === 'refund' || kind === 'customer';
      const id = own ? `${kind} ${of}` : `${kind} ${index}`;
      const isLie = !own && row.outcome === 'contradicted';
      const outcome =
        row.outcome === 'contradicted' && (!isLie || kind === 'request') ? 'approved' : row.outcome;
      const link = kind === 'event' ? `purchase ${of}` : null;
      const label = kind === 'request' ? 'purchase create' : null;
      const tie = kind === 'purchase' ? id : link;
      return document({ ...row, kind, id, outcome, label, purchase: tie });
    });
    // A record is one document.
    return [...new Map(documents.map((one) => [`${one.kind} ${one.id}`, one])).values()];
  });

test('every document is a source of one item, in order of time, and sums are those of the items', async () => {
  await fc.assert(
    fc.asyncProperty(someDocuments, async (documents) => {
      const items = await told(documents);
      const sources = items.flatMap((item) => item.sources.map(({ kind, id }) => `${kind} ${id}`));
      const given = documents.map(({ kind, id }) => {
        const isOther = kind === 'event' || kind === 'request';
        return `${isOther ? kind : 'record'} ${id}`;
      });
      expect(sources.toSorted()).toEqual(given.toSorted());
      const times = items.map(({ at }) => Date.parse(at));
      expect(times).toEqual(times.toSorted((one, other) => one - other));

      // Naively: each purchase once, as its record or else any event that stands has it; and what
      // was sent and made no record that is known.
      const paid = new Map<string, number>();
      for (const one of documents.toReversed()) {
        const name = one.kind === 'event' ? one.purchase : one.id;
        const isMoney = one.kind !== 'refund' && one.kind !== 'customer';
        if (!isMoney || name === null || one.outcome === 'contradicted') continue;
        const isRecord = documents.some(({ kind, id }) => kind === 'purchase' && id === name);
        if (one.kind === 'event' && isRecord) continue;
        paid.set(name, one.outcome === 'approved' ? (one.amount ?? 0) : 0);
      }
      const total = [...paid.values()].reduce((sum, amount) => sum + amount, 0);
      const summed = sumsOf(items).reduce((sum, one) => sum + one.paid.amount, 0);
      expect(summed).toBe(total);
    }),
  );
});
