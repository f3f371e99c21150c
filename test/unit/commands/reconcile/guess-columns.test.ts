import { expect, test } from 'vitest';
import { guessColumns } from '../../../../src/commands/reconcile/guess-columns.ts';

const guess = (names: string, ...rows: string[]) => {
  const mapped = guessColumns({ names: names.split(','), rows: rows.map((row) => row.split(',')) });
  return mapped && Object.fromEntries(mapped);
};

test.each([
  [
    'Date,Reference No,Amount',
    '01/02,INV-1,25.00',
    { reference: 'Reference No', decimal_amount: 'Amount' },
  ],
  ['order_id,total', 'A-1,2500', { reference: 'order_id', amount: 'total' }],
  [
    'Invoice,paidAmount,Cur',
    'A-1,2500,aud',
    { reference: 'Invoice', amount: 'paidAmount', currency: 'Cur' },
  ],
  ['Txn,What', '071-P-IE49OSAF,25.00', { id: 'Txn' }],
  ['Preference,Amount', 'A-1,25.00', undefined],
  ['When,What', '01/02,CARD', undefined],
  ['Ref,Amount', 'A-1,25.00 AUD', undefined],
  ['reference,decimal_amount', 'A-1,$45.00', undefined],
  ['Ref,Amount,Total', 'A-1,25.00 AUD,25.00', { reference: 'Ref', decimal_amount: 'Total' }],
])('the columns %s with %s are %j', (names, row, fields) => {
  expect(guess(names, row)).toEqual(fields);
});

test('one amount with decimals makes the column a decimal one, and a blank cell says nothing', () => {
  expect(guess('Ref,Amount', 'A-1,25', 'A-2,', 'A-3,25.5')).toEqual({
    reference: 'Ref',
    decimal_amount: 'Amount',
  });
});
