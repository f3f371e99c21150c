/** Payments of an account that have nothing to do with the gateway. */
import { expect, test } from 'vitest';
import { type BookRow, readBookRow } from '../../../../src/commands/reconcile/book-row.ts';
import { OtherPayments } from '../../../../src/commands/reconcile/other-payments.ts';

const EMPTY = readBookRow({ fields: {}, isText: false }, 'AUD').row;
const row = (amount: number, text: string, others: Partial<BookRow> = {}): BookRow => ({
  ...EMPTY,
  ...{ amount, texts: [text] },
  ...others,
});
const FILE = [row(4500, 'CARD WEB-3051'), row(1200, 'A CUSTOMER PAYMENT')];

test.each<[string, BookRow, boolean]>([
  ['rent', row(-85_000, 'OFFICE RENT APRIL 2026'), true],
  ['wages with a date', row(-90_000, 'WAGES 1/26'), true],
  ['a word in the column of references', row(-85_000, '', { reference: 'RENT', texts: [] }), true],
  ['money that comes in', row(100, 'INTEREST'), false],
  ['a refund', row(-2000, 'Refund to a friend'), false],
  ['what may be a reference', row(-2000, 'RET-777'), false],
  ['a number', row(-2000, 'TRANSFER 88712'), false],
  ['words of money that comes in', row(-2000, 'CARD REPAIR SHOP'), false],
  ['an id', row(-2000, 'RENT', { id: '071-R-1' }), false],
  ['no words', row(-2000, ''), false],
  ['a side that may be either', row(2000, 'RENT', { side: 'debit' }), false],
  ['what a processor calls a payout', row(-5000, 'po_1X2', { type: 'payout' }), true],
  ['what a processor calls a fee', row(-50, 'txn_1X2', { type: 'stripe_fee' }), true],
  ['what comes in as a transfer', row(5000, 'A CUSTOMER', { type: 'transfer' }), false],
  ['what a processor calls a charge', row(-50, 'txn_1X2', { type: 'charge' }), false],
])('%s', (_, one, isOther) => {
  expect(new OtherPayments([...FILE, one]).has(one, undefined)).toBe(isOther);
});

test('the side of a bank tells which money goes out', () => {
  const rent = row(85_000, 'RENT', { side: 'debit' });
  const file = [...FILE.map((one) => ({ ...one, side: 'credit' as const })), rent];
  expect(new OtherPayments(file).has(rent, 'out')).toBe(true);
  expect(new OtherPayments(file).has(rent, 'in')).toBe(false);
});

test('a file without money that comes in tells of no payment what it is', () => {
  const rent = row(-85_000, 'RENT');
  expect(new OtherPayments([rent]).has(rent, undefined)).toBe(false);
});

test('a row without an amount is no payment among rows with one, unless it has a name', () => {
  const payout = row(0, 'MerchantPayout TX12345XT', { amount: undefined });
  const named = row(0, '', { amount: undefined, reference: 'INV-1' });
  expect(new OtherPayments([...FILE, payout]).has(payout, undefined)).toBe(true);
  expect(new OtherPayments([...FILE, named]).has(named, undefined)).toBe(false);
  expect(new OtherPayments([payout]).has(payout, undefined)).toBe(false);
});
