/** A payment with several sources counts once, and an uncertain one never. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  declinesReport,
  moneyReport,
  withBefore,
} from '../../../../src/desk/report/money-report.ts';
import type { ReportRow } from '../../../../src/desk/report/report-view.ts';
import { REFUND } from '../../../helpers/money-request.ts';
import { appendAll } from '../../events/support.ts';
import {
  charged,
  FRAME,
  type OpenDesk,
  openDesk,
  purchase,
  SCOPE,
  seen,
  sent,
} from '../support.ts';

const linesOf = (rows: readonly ReportRow[]) =>
  rows.map(({ what, reason, currency, count, amount }) =>
    [what, reason, currency, count, amount].filter((part) => part !== null).join(' '),
  );

async function report({ ledger }: OpenDesk, change: Partial<typeof FRAME> = {}) {
  return moneyReport(ledger.things, SCOPE, { ...FRAME, ...change });
}

const CREATE = { operation: 'purchase create', amount: 2_500, currency: 'AUD', reference: 'INV-1' };

test('a charge that was sent, seen and told of counts once, by its best source', async () => {
  const desk = await openDesk();
  const record = purchase('071-P-1');
  await sent(desk, CREATE, { state: 'done', recordId: '071-P-1' });
  await desk.ledger.remember([seen('purchase', record)]);
  await appendAll(desk.events, [
    charged('approved', record),
    charged('approved', record),
    charged('approved', record, { name: 'SUB-8' }),
  ]);
  const { rows, coverage } = await report(desk);
  expect(linesOf(rows)).toEqual(['charges AUD 1 2500', 'net AUD 2500']);
  expect(coverage).toMatchObject({ records: 1, requests: 0, events: 0, others: 0 });
});

test('the record may lie outside of the time in which it was told of', async () => {
  const desk = await openDesk();
  const record = purchase('071-P-1', { transaction_date: '2026-01-10T12:00:00Z' });
  await sent(desk, CREATE, { state: 'done', recordId: '071-P-1' });
  await desk.ledger.remember([seen('purchase', record)]);
  await desk.events.append(charged('approved', purchase('071-P-1')));
  expect((await report(desk)).rows).toEqual([]);
});

test('without a record, a payment counts by its request or its first event', async () => {
  const desk = await openDesk();
  await sent(desk, CREATE, { state: 'done', recordId: '071-P-1' });
  await sent(desk, { ...CREATE, operation: 'refund create', amount: 400 }, { state: 'done' });
  await appendAll(desk.events, [
    charged('approved', purchase('071-P-2')),
    charged('approved', purchase('071-P-2', { message: 'Approved again' }), { name: 'SUB-8' }),
    charged('declined', purchase('071-P-3', { message: 'Insufficient Funds' })),
  ]);
  expect(linesOf((await report(desk)).rows)).toEqual([
    'purchases AUD 1 2500',
    'charges AUD 1 2500',
    'refunds AUD 1 400',
    'net AUD 4600',
    'declines Insufficient Funds AUD 1 2500',
  ]);
});

test('declines without an id count each', async () => {
  const desk = await openDesk();
  const at = (day: string) => ({
    id: null,
    transaction_date: `${day}T23:59:59Z`,
    message: 'Declined',
  });
  await appendAll(desk.events, [
    charged('declined', purchase('', at('2026-03-10'))),
    charged('declined', purchase('', at('2026-03-11')), { status: 'Failed (2), Pending' }),
  ]);
  expect(linesOf((await report(desk)).rows)).toEqual(['declines Declined AUD 2 5000']);
});

test('contradicted, bad and unclear events, and what was not done, are in no sum', async () => {
  const desk = await openDesk();
  const event = await desk.events.append(charged('approved', purchase('071-P-1')));
  await desk.events.verify(event!.id, { state: 'contradicted', reason: 'not found' });
  const unclear = purchase('071-P-2', { successful: true, message: 'Declined' });
  await desk.ledger.remember([seen('purchase', unclear)]);
  for (const state of ['rejected', 'not-sent', 'not-done'] as const)
    await sent(desk, { ...CREATE, reference: state }, { state });
  await sent(desk, { ...CREATE, reference: 'lost' }, { state: 'unknown' });
  await sent(desk, { ...CREATE, reference: 'going' }, { state: 'sending' });
  const { rows, coverage } = await report(desk);
  expect(linesOf(rows)).toEqual(['unknown AUD 2 5000']);
  expect(coverage.unclear).toBe(1);
});

const OWN = { amount: 700, currency: 'AUD', reference: 'V-1' };
const VOID = { ...OWN, operation: 'api POST /v1.0/refunds/071-R-1/void' };

test('a request of `gw api` is in a row of its own, and in no sum', async () => {
  const desk = await openDesk();
  await desk.ledger.remember([seen('purchase', purchase('071-P-1'))]);
  await sent(desk, VOID, { state: 'done', recordId: '071-R-1' });
  // The record that it names makes no difference.
  const capture = { ...OWN, operation: 'api POST /v1.0/purchases/071-P-1/capture' };
  await sent(desk, { ...capture, reference: 'V-2' }, { state: 'done', recordId: '071-P-1' });
  await sent(desk, { ...VOID, reference: 'V-3' }, { state: 'declined' });
  await sent(desk, { ...VOID, reference: 'V-4' }, { state: 'unknown' });
  // A row that is none any more.
  await sent(desk, { ...OWN, operation: 'voucher create', amount: 1 }, { state: 'done' });
  const { rows, attempts } = await report(desk);
  expect(linesOf(rows)).toEqual([
    'purchases AUD 1 2500',
    'net AUD 2500',
    'other AUD 3 1401',
    'unknown AUD 1 700',
  ]);
  expect(attempts).toBe(1);
});

test('a charge that an event told of counts, whatever was done to it since', async () => {
  const desk = await openDesk();
  await desk.events.append(charged('approved', purchase('071-P-2')));
  const own = { ...VOID, operation: 'api POST /v1.0/purchases/071-P-2/void' };
  await sent(desk, own, { state: 'done', recordId: '071-P-2' });
  expect(linesOf((await report(desk)).rows)).toEqual([
    'charges AUD 1 2500',
    'net AUD 2500',
    'other AUD 1 700',
  ]);
});

test.each(['tokenize', 'customer create', 'subscription create'])(
  'a batch of %s, which is recorded as money is, counts as nothing',
  async (operation) => {
    const desk = await openDesk();
    await sent(desk, { ...OWN, operation }, { state: 'done', recordId: 'x' });
    await sent(desk, { ...OWN, operation, reference: 'V-5' }, { state: 'unknown' });
    expect((await report(desk)).rows).toEqual([]);
  },
);

test('other accounts, profiles and environments are left out, and said to be', async () => {
  const desk = await openDesk();
  await desk.ledger.remember([
    seen('purchase', purchase('071-P-1')),
    seen('purchase', purchase('071-P-2'), { account: 'a2' }),
    seen('purchase', purchase('071-P-3'), { account: 'a3', profile: 'shop-2' }),
    seen('purchase', purchase('071-P-4'), { account: 'a1', profile: 'another-name' }),
  ]);
  await appendAll(desk.events, [
    charged('approved', purchase('071-P-5'), { mode: 'Live' } as object),
    charged('approved', purchase('071-P-6'), { profile: null } as object),
  ]);
  const { rows, coverage } = await report(desk);
  expect(linesOf(rows)).toEqual(['purchases AUD 2 5000', 'net AUD 5000']);
  expect(coverage.others).toBe(4);
});

test('a refund has no sign, and one of no known currency a row of its own', async () => {
  const desk = await openDesk();
  const refund = { id: '071-R-1', amount: -700, successful: true, refunded: 'Approved' };
  await desk.ledger.remember([
    seen('purchase', purchase('071-P-1')),
    seen('refund', { ...refund, transaction_date: '2026-03-11T00:00:00Z' }),
  ]);
  expect(linesOf((await report(desk)).rows)).toEqual([
    'purchases AUD 1 2500',
    'net AUD 2500',
    'refunds 1 700',
    'net -700',
  ]);
});

test('sums are exact where no number is', async () => {
  const desk = await openDesk();
  const amount = 999_999_999_999_999;
  const ids = Array.from({ length: 12 }, (_, n) => `071-P-${n}`);
  await desk.ledger.remember(ids.map((id) => seen('purchase', purchase(id, { amount }))));
  expect((await report(desk)).rows[0]?.amount).toBe(11_999_999_999_999_988n);
});

test('declines are told with their part of all attempts', async () => {
  const desk = await openDesk();
  const declined = { successful: false, message: 'Declined' };
  await desk.ledger.remember([
    ...['1', '2', '3'].map((n) => seen('purchase', purchase(n))),
    seen('purchase', purchase('4', declined), { lastFour: '2346' }),
  ]);
  const of = (by: 'reason' | 'card') => declinesReport(desk.ledger.things, SCOPE, FRAME, by);
  expect((await of('reason')).rows).toMatchObject([{ reason: 'Declined', count: 1, share: 0.25 }]);
  expect((await of('card')).rows).toMatchObject([{ reason: '•••• 2346', count: 1 }]);
});

test('declines of refunds are left out by what they are, and not by their words', async () => {
  const desk = await openDesk();
  const declined = { successful: false, message: 'Refund: ask the issuer' };
  await desk.ledger.remember([seen('purchase', purchase('1', declined))]);
  await sent(desk, { ...CREATE, operation: 'refund create' }, { state: 'declined', message: 'No' });
  const of = (by: 'reason' | 'card') => declinesReport(desk.ledger.things, SCOPE, FRAME, by);
  const reason = 'Refund: ask the issuer';
  expect((await of('reason')).rows).toMatchObject([{ reason, count: 1, share: 1 }]);
  expect((await of('card')).rows).toMatchObject([{ reason: 'card unknown', count: 1, share: 1 }]);
});

const thing = fc.record({
  day: fc.integer({ min: 9, max: 15 }),
  amount: fc.integer({ min: 1, max: 1_000_000 }),
  currency: fc.constantFrom('AUD', 'JPY'),
  isApproved: fc.boolean(),
  isSeen: fc.boolean(),
  events: fc.integer({ min: 0, max: 2 }),
  isSent: fc.boolean(),
});

test('the days of a week add up to it, in whatever order things were learnt', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(thing, { maxLength: 12 }),
      fc.boolean(),
      async (things, isBackwards) => {
        const desk = await openDesk();
        const steps = things.flatMap((one, n) => stepsOf(desk, one, `071-P-${n}`));
        for (const step of isBackwards ? steps.toReversed() : steps) await step();
        const week = await report(desk);
        const expected = things.filter((one) => one.isSeen || one.events > 0 || one.isSent);
        expect(sum(week.rows, 'purchases') + sum(week.rows, 'charges')).toEqual(
          expected.filter((one) => one.isApproved).reduce((total, { amount }) => total + amount, 0),
        );
        const days = await Promise.all(
          Array.from({ length: 7 }, (_, n) =>
            report(desk, {
              from: new Date(Date.UTC(2026, 2, 9 + n)).toISOString(),
              until: new Date(Date.UTC(2026, 2, 10 + n)).toISOString(),
            }),
          ),
        );
        const all = days.flatMap(({ rows }) => rows);
        for (const what of ['purchases', 'charges', 'net', 'declines'] as const)
          expect(sum(all, what)).toBe(sum(week.rows, what));
        await desk.close();
      },
    ),
    { numRuns: 25 },
  );
});

test.each([
  [{ successful: false, message: 'Voided' }],
  [{ successful: true, captured: true, captured_amount: 0, message: 'Transaction Voided' }],
  [{ successful: true, message: 'void' }],
])('a purchase that was voided with %j is neither paid nor declined', async (change) => {
  const desk = await openDesk();
  await desk.ledger.remember([seen('purchase', purchase('071-P-1', change))]);
  const { things } = desk.ledger;
  const by = 'reason' as const;
  expect((await declinesReport(things, SCOPE, FRAME, by)).rows).toEqual([]);
  expect((await moneyReport(things, SCOPE, FRAME)).rows).toEqual([]);
  const found = await things.search({ outcome: 'voided', limit: 2 });
  expect(found.map(({ id }) => id)).toEqual(['071-P-1']);
});

const sum = (rows: readonly ReportRow[], wanted: ReportRow['what']) =>
  rows
    .filter(({ what }) => what === wanted)
    .reduce((total, { amount }) => total + Number(amount), 0);

type Thing = typeof thing extends fc.Arbitrary<infer Value> ? Value : never;

/** The ways in which a thing becomes known; whichever comes first, it is the same one. */
function stepsOf(desk: OpenDesk, one: Thing, id: string): (() => Promise<unknown>)[] {
  const { amount, currency, isApproved, day } = one;
  const outcome = isApproved ? ('approved' as const) : ('declined' as const);
  const record = purchase(id, {
    ...{ amount, currency, successful: isApproved },
    message: isApproved ? 'Approved' : 'Declined',
    transaction_date: `2026-03-${String(day).padStart(2, '0')}T08:00:00Z`,
  });
  const operation = 'purchase create';
  const state = isApproved ? ('done' as const) : ('declined' as const);
  return [
    ...(one.isSeen ? [() => desk.ledger.remember([seen('purchase', record)])] : []),
    ...Array.from(
      { length: one.events },
      (_, n) => () => desk.events.append(charged(outcome, record, { name: `SUB-${n}` })),
    ),
    ...(one.isSent
      ? [() => sent(desk, { operation, amount, currency, reference: id }, { state, recordId: id })]
      : []),
  ];
}

test('groups of cards, plans and operators add up to the whole', async () => {
  const payments = fc.array(
    fc.record({
      amount: fc.integer({ min: 1, max: 9_999 }),
      currency: fc.constantFrom('AUD', 'JPY'),
      last: fc.constantFrom('1111', '2346', undefined),
      successful: fc.boolean(),
    }),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(payments, async (some) => {
      const desk = await openDesk();
      await desk.ledger.remember(
        some.map(({ last, ...record }, n) =>
          seen('purchase', {
            ...purchase(`P-${n}`, record),
            card_number: last === undefined ? null : `512345XXXXXX${last}`,
            message: record.successful ? 'Approved' : 'Declined',
          }),
        ),
      );
      // It gives back the second payment, if there is one.
      await sent(desk, { ...CREATE, operation: 'refund create' }, { state: 'done' });
      const sums = (rows: readonly ReportRow[]) => {
        const all = new Map<string, bigint>();
        for (const { what, currency, amount } of rows)
          all.set(`${what} ${currency}`, (all.get(`${what} ${currency}`) ?? 0n) + (amount ?? 0n));
        return [...all].toSorted();
      };
      const { rows } = await report(desk);
      for (const by of ['card', 'brand', 'plan', 'operator', 'reason'] as const) {
        const grouped = await moneyReport(desk.ledger.things, SCOPE, FRAME, by);
        expect(sums(grouped.rows)).toEqual(sums(rows));
      }
    }),
    { numRuns: 20 },
  );
});

test('a refund is in the group of the payment that it gives back, however it is known', async () => {
  const desk = await openDesk();
  const card = { card_number: '512345XXXXXX2346', card_expiry: '2031-05-31', card_holder: 'Li' };
  const plan = { id: '071-PL-1', reference: 'weekend', amount: 2_500, currency: 'AUD' };
  const subscription = { id: '071-S-SUB-7', reference: 'SUB-7', plan: plan.id };
  const refund = { id: '071-R-1', amount: -700, successful: true, refunded: 'Approved' };
  await desk.ledger.remember([
    seen('plan', plan),
    seen('subscription', { ...subscription, customer: '071-C-SUB-7', is_active: true }),
    seen('refund', { ...refund, transaction_date: '2026-03-11T00:00:00Z' }),
  ]);
  const request = { operation: 'refund create', currency: 'AUD' };
  await sent(
    desk,
    { ...request, amount: 700, reference: 'R-1' },
    { state: 'done', recordId: refund.id },
  );
  await sent(desk, { ...request, amount: 300, reference: 'R-2' }, { state: 'unknown' });
  await desk.events.append(charged('approved', purchase(REFUND.target ?? '', card)));
  for (const by of ['card', 'brand', 'plan'] as const) {
    const { rows } = await moneyReport(desk.ledger.things, SCOPE, FRAME, by);
    const groups = { card: '•••• 2346', brand: 'Mastercard', plan: 'weekend' };
    expect(rows.map(({ what, group }) => `${what} ${group}`)).toEqual(
      ['charges', 'refunds', 'net', 'unknown'].map((what) => `${what} ${groups[by]}`),
    );
  }
  const found = await desk.ledger.things.search({ kinds: ['refund', 'request'], limit: 9 });
  expect(found).toMatchObject([{ subscription: 'SUB-7' }, { subscription: 'SUB-7' }]);
});

test('a sum is compared with the same one of the period before, also if one of them is missing', () => {
  const frame = { ...FRAME, period: '2026-03' };
  const row = { ...frame, what: 'purchases', currency: 'AUD', reason: null } as const;
  const now: ReportRow[] = [{ ...row, count: 2, amount: 300n }];
  const before: ReportRow[] = [
    { ...row, period: '2026-02', count: 1, amount: 100n },
    { ...row, period: '2026-02', currency: 'EUR', count: 4, amount: 400n },
  ];
  expect(withBefore(frame, now, before)).toEqual([
    { ...row, count: 2, amount: 300n, beforeCount: 1, beforeAmount: 100n },
    { ...row, currency: 'EUR', count: 0, amount: 0n, beforeCount: 4, beforeAmount: 400n },
  ]);
  expect(withBefore(frame, now, [])).toEqual([
    { ...row, count: 2, amount: 300n, beforeCount: 0, beforeAmount: 0n },
  ]);
});
