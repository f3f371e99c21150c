/** The rows of a period add up to its report, and double charges are found. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { moneyReport } from '../../../../src/desk/report/money-report.ts';
import { doublesIn, isOpen, movementsIn } from '../../../../src/desk/report/movements.ts';
import type { Movement } from '../../../../src/desk/report/report-view.ts';
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

async function of({ ledger }: OpenDesk, hasDeclines = false): Promise<Movement[]> {
  const found: Movement[] = [];
  for await (const one of movementsIn(ledger.things, SCOPE, FRAME, hasDeclines)) found.push(one);
  return found;
}

test('every charge and refund is a row, and they add up to the report', async () => {
  const desk = await openDesk();
  const create = { operation: 'purchase create', amount: 900, currency: 'AUD', reference: 'I-1' };
  await sent(desk, create, { state: 'done', recordId: '071-P-1' });
  await sent(desk, { ...create, operation: 'refund create', amount: 400 }, { state: 'done' });
  await sent(desk, { ...create, reference: 'I-2' }, { state: 'unknown' });
  const refund = { id: '071-R-1', amount: -700, successful: true, refunded: 'Approved' };
  await desk.ledger.remember([
    seen('refund', { ...refund, transaction_date: '2026-03-11T00:00:00Z' }),
    seen('purchase', purchase('071-P-5', { transaction_date: '2026-04-01T00:00:00Z' })),
  ]);
  await appendAll(desk.events, [
    charged('approved', purchase('071-P-2')),
    charged('declined', purchase('071-P-3', { message: 'Insufficient Funds' })),
  ]);
  const movements = await of(desk);
  expect(movements.map(({ what, amount }) => `${what} ${amount}`).toSorted()).toEqual([
    'charge 2500',
    'purchase 900',
    'refund -400',
    'refund -700',
  ]);
  const { rows } = await moneyReport(desk.ledger.things, SCOPE, FRAME);
  const net = rows
    .filter(({ what }) => what === 'net')
    .reduce((n, row) => n + Number(row.amount), 0);
  expect(movements.reduce((n, { amount }) => n + (amount ?? 0), 0)).toBe(net);
  const declined = (await of(desk, true)).find(({ what }) => what === 'declined');
  expect(declined).toMatchObject({ id: '071-P-3', reason: 'Insufficient Funds' });
});

test('they come as they are read, oldest first within a second too', async () => {
  const desk = await openDesk();
  const at = (id: string, time: string) =>
    seen('purchase', purchase(id, { transaction_date: `2026-03-10T${time}Z` }));
  await desk.ledger.remember([
    at('071-P-2', '00:00:00.900'),
    at('071-P-1', '00:00:00.100'),
    at('071-P-3', '00:00:01'),
    at('071-P-4', '00:00:02'),
  ]);
  expect((await of(desk)).map(({ id }) => id)).toEqual(
    [1, 2, 3, 4].map((number) => `071-P-${number}`),
  );
  let read = 0;
  const things: Parameters<typeof movementsIn>[0] = {
    tied: async () => [],
    async *each(filter) {
      for await (const thing of desk.ledger.things.each(filter)) {
        read++;
        yield thing;
      }
    },
  };
  const moved = movementsIn(things, SCOPE, FRAME);
  expect((await moved.next()).value).toMatchObject({ id: '071-P-1' });
  expect(read).toBe(3);
});

const DAY = '2026-03-10T';

/** A payment as its record shows a card that was typed. */
function typed(card_token: string | null, change: JsonObject = {}): JsonObject {
  const card = { card_number: '512345XXXXXX2346', card_holder: 'Ada B', card_expiry: '05/2031' };
  return { card_token, ...card, ...change };
}

test('the card that paid is told by the record, or else by the request, which is then read too', async () => {
  const desk = await openDesk();
  const card = { card_number: '411111XXXXXX1111', card_holder: 'Eve', card_expiry: '01/2030' };
  const create = { operation: 'purchase create', amount: 900, currency: 'AUD', body: card };
  await sent(desk, { ...create, reference: 'I-1' }, { state: 'done', recordId: '071-P-1' });
  await sent(desk, { ...create, reference: 'I-2' }, { state: 'done', recordId: '071-P-2' });
  await desk.ledger.remember([
    seen('purchase', purchase('071-P-1', typed('a'))),
    seen('purchase', purchase('071-P-2', typed('b', { card_holder: null }))),
  ]);
  expect(
    (await of(desk)).map(({ card, sources }) => [card, Object.keys(sources.requests).length]),
  ).toEqual([
    ['512345*2346', 0],
    ['411111*1111', 1],
  ]);
});

test.each([
  ['the same card and amount', {}, { transaction_date: `${DAY}20:00:00Z` }, 1],
  ['another amount', {}, { amount: 2_501 }, 0],
  ['another currency', {}, { currency: 'NZD' }, 0],
  ['a card that was typed twice', typed('a'), typed('b'), 1],
  ['one typed without a token', typed('a'), typed(null), 1],
  [
    'another spelling of holder and expiry',
    typed('a'),
    typed('b', { card_holder: 'ADA B', card_expiry: '2031-05-31' }),
    1,
  ],
  ['another holder', typed('a'), typed('b', { card_holder: 'Eve' }), 0],
  ['another holder without a token', typed(null), typed(null, { card_holder: 'Eve' }), 0],
  ['another expiry', typed('a'), typed('b', { card_expiry: '06/2031' }), 0],
  [
    'another number with the same last digits',
    typed('a'),
    typed(null, { card_number: '411111XXXXXX2346' }),
    0,
  ],
  [
    'two customers of a subscription',
    typed('a', { source: 'Recurring' }),
    typed('b', { source: 'Recurring' }),
    0,
  ],
  ['a void', {}, { successful: false, message: 'Voided' }, 0],
  ['another token with the same digits', { card_token: 'a' }, { card_token: 'b' }, 0],
  ['a whole day later', {}, { transaction_date: '2026-03-11T12:00:00Z' }, 0],
  ['a decline', {}, { successful: false, message: 'Declined' }, 0],
  [
    'one on the evening before the period',
    { transaction_date: '2026-03-08T23:50:00Z' },
    { transaction_date: '2026-03-09T00:10:00Z' },
    1,
  ],
  [
    'both on the evening before the period',
    { transaction_date: '2026-03-08T23:50:00Z' },
    { transaction_date: '2026-03-08T23:55:00Z' },
    0,
  ],
  [
    'one on the morning after the period',
    { transaction_date: '2026-03-15T23:50:00Z' },
    { transaction_date: '2026-03-16T00:10:00Z' },
    0,
  ],
])('%s: %j and %j are %d double', async (_, one, other, count) => {
  const desk = await openDesk();
  const card = { lastFour: '2346', name: 'Ada' };
  const record = (id: string, change: JsonObject) =>
    seen('purchase', purchase(id, { card_token: 'tok', ...change }), card);
  await desk.ledger.remember([record('071-P-1', one), record('071-P-2', other)]);
  const doubles = await doublesIn(desk.ledger.things, SCOPE, FRAME);
  expect(doubles.map((group) => group.map(({ id }) => id))).toEqual(
    count === 0 ? [] : [['071-P-1', '071-P-2']],
  );
});

test('doubles of other amounts and days are told apart, in the order of their second payments', async () => {
  const desk = await openDesk();
  const card = { lastFour: '2346', name: 'Ada' };
  const record = (id: string, amount: number, at: string) =>
    seen('purchase', purchase(id, { card_token: 'tok', amount, transaction_date: at }), card);
  await desk.ledger.remember([
    record('071-P-1', 100, '2026-03-10T10:00:00Z'),
    record('071-P-2', 200, '2026-03-10T11:00:00Z'),
    record('071-P-3', 200, '2026-03-10T12:00:00Z'),
    record('071-P-4', 100, '2026-03-11T09:00:00Z'),
    record('071-P-5', 100, '2026-03-12T09:00:00Z'),
    record('071-P-6', 100, '2026-03-12T10:00:00Z'),
  ]);
  const doubles = await doublesIn(desk.ledger.things, SCOPE, FRAME);
  expect(doubles.map((group) => group.map(({ id }) => id.at(-1)).join(''))).toEqual([
    '23',
    '14',
    '56',
  ]);
});

test.each([
  [[0, 0], true],
  [[0, 2500], false],
  [[0, 2400], true],
  [[2500, 2500, 0], false],
  [[2500, 0, 0], true],
])('a double of which %j was refunded is open: %s', (refunds, isStillOpen) => {
  const group = refunds.map((refunded) => ({ amount: 2500, refunded }) as never);
  expect(isOpen(group)).toBe(isStillOpen);
});
