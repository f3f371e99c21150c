/** The results that are held back. */
import { expect, test } from 'vitest';
import type { BookRow } from '../../../../src/commands/reconcile/book-row.ts';
import { readBookRow } from '../../../../src/commands/reconcile/book-row.ts';
import type { FoundRecord } from '../../../../src/commands/reconcile/compare.ts';
import {
  FirstRows,
  MAX_FIRST_ROWS,
  type RowResult,
} from '../../../../src/commands/reconcile/first-rows.ts';

const { row } = readBookRow({ fields: { id: 'x', amount: 100 }, isText: false }, 'AUD');
const onSide = (side: BookRow['side'], amount = 100): BookRow => ({ ...row, side, amount });
const record = (kind: FoundRecord['kind'], amount: number): FoundRecord => ({
  kind,
  record: { amount },
  currency: 'AUD',
});
const PAID = record('purchase', 100);
const REFUNDED = record('refund', -100);
const result = (answer?: FoundRecord, outcome: RowResult['outcome'] = 'done') =>
  ({ line: {}, isEarlier: false, outcome, answer }) as RowResult;

function held(needsDebit: boolean, ...rows: [FoundRecord | undefined, BookRow][]): FirstRows {
  const first = new FirstRows(needsDebit);
  for (const [answer, said] of rows) first.add(result(answer), said);
  return first;
}

test('rows are held back until one of them has a record', () => {
  const first = held(false, [undefined, row], [undefined, row]);
  expect([first.isEnough, first.areAllUnknown]).toEqual([false, true]);
  first.add(result(PAID), row);
  expect([first.isEnough, first.areAllUnknown, first.results.length]).toEqual([true, false, 3]);
});

test('a row that could not be asked about is not unknown', () => {
  const first = held(false);
  first.add(result(undefined, 'refused'), row);
  expect([first.isEnough, first.areAllUnknown]).toEqual([true, false]);
});

test('no more than a thousand are held back', () => {
  const first = held(true);
  for (let n = 1; n < MAX_FIRST_ROWS; n++) first.add(result(PAID), onSide('credit'));
  expect(first.isEnough).toBe(false);
  first.add(result(PAID), onSide('credit'));
  expect(first.isEnough).toBe(true);
});

test.each<[string, [FoundRecord | undefined, BookRow][], object | undefined]>([
  ['a purchase as credit: out', [[PAID, onSide('credit')]], { is: 'out', by: 1, of: 1 }],
  ['a purchase as debit: in', [[PAID, onSide('debit')]], { is: 'in', by: 1, of: 1 }],
  ['a refund as debit: out', [[REFUNDED, onSide('debit')]], { is: 'out', by: 1, of: 1 }],
  [
    'two of three: out',
    [
      [PAID, onSide('credit')],
      [PAID, onSide('debit')],
      [REFUNDED, onSide('debit')],
    ],
    { is: 'out', by: 2, of: 3 },
  ],
  [
    'one of two: unknown',
    [
      [PAID, onSide('credit')],
      [PAID, onSide('debit')],
    ],
    undefined,
  ],
  ['another amount: out', [[PAID, onSide('credit', 90)]], { is: 'out', by: 1, of: 1 }],
  [
    'the same amount, before other amounts: in',
    [
      [PAID, onSide('credit', 90)],
      [PAID, onSide('credit', 80)],
      [PAID, onSide('debit')],
    ],
    { is: 'in', by: 1, of: 1 },
  ],
  ['no record: unknown', [[undefined, onSide('credit')]], undefined],
  ['no side: unknown', [[PAID, row]], undefined],
])('what a debit is by %s', (_, rows, debit) => {
  expect(held(true, ...rows).debit).toEqual(debit);
});
