/** Rows of the books: how gw reads them, and their faults. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { readBookRow } from '../../../../src/commands/reconcile/book-row.ts';

const csv = (fields: JsonObject, currency?: string) =>
  readBookRow({ fields, isText: true }, currency);
const json = (fields: JsonObject, currency?: string) =>
  readBookRow({ fields, isText: false }, currency);

test.each<[string, JsonObject, JsonObject]>([
  ['an id whose shape says what it is', { id: '071-R-1' }, { kind: 'refund', id: '071-R-1' }],
  ['an id of any shape', { id: 'tx 9' }, { id: 'tx 9' }],
  ['the id in a column of its kind', { refund: 'tx 9' }, { kind: 'refund', id: 'tx 9' }],
  [
    'an id and a reference',
    { transaction_id: '071-P-1', reference: 'INV-1' },
    { kind: 'purchase', id: '071-P-1', reference: 'INV-1' },
  ],
  [
    'a refund below zero',
    { refund: 'r', amount: '-500' },
    { kind: 'refund', id: 'r', amount: -500 },
  ],
  [
    'a decimal in its currency',
    { reference: 'A', decimal_amount: '25.00', currency: 'aud' },
    { reference: 'A', amount: 2500, currency: 'AUD' },
  ],
  [
    'a decimal below zero',
    { reference: 'A', decimal_amount: '-1.234', currency: 'BHD' },
    { reference: 'A', amount: -1234, currency: 'BHD' },
  ],
  [
    'a flag',
    { reference: 'A', successful: 'TRUE' },
    { reference: 'A', outcome: { field: 'successful', isApproved: true, said: true } },
  ],
  [
    'a state in words',
    { reference: 'A', state: 'Failed' },
    { reference: 'A', outcome: { field: 'state', isApproved: false, said: 'Failed' } },
  ],
  [
    "the gateway's message",
    { reference: 'A', message: 'approved' },
    { reference: 'A', outcome: { field: 'message', isApproved: true, said: 'approved' } },
  ],
  [
    'a reason',
    { reference: 'A', message: 'Expired Card' },
    { reference: 'A', message: 'Expired Card' },
  ],
  [
    'whether a subscription is billed',
    { id: '071-S-1', is_active: 'false' },
    { kind: 'subscription', id: '071-S-1', isActive: false },
  ],
])('a row of CSV may have %s', (_, fields, said) => {
  const { row, problems } = csv(fields);
  expect(problems).toEqual([]);
  expect(row).toEqual({ kind: undefined, ...said });
});

test.each<[string, JsonObject, JsonObject]>([
  ['a debit', { reference: 'A', debit: '20.00' }, { amount: 2000, side: 'debit' }],
  ['a credit', { reference: 'A', credit: '20.00' }, { amount: 2000, side: 'credit' }],
  [
    'an amount with a mark',
    { reference: 'A', decimal_amount: '20.00', mark: 'Dr' },
    { amount: 2000, side: 'debit' },
  ],
  ['minor units with a mark', { reference: 'A', amount: '2000', mark: 'C' }, { side: 'credit' }],
  [
    'two days',
    { reference: 'A', date: '2026-03-31', value_date: '2026-04-01' },
    { dates: ['2026-03-31', '2026-04-01'] },
  ],
  ['only a day and an amount', { date: '2026-03-31', credit: '1.00' }, { amount: 100 }],
])('a row of a bank may have %s', (_, fields, said) => {
  const { row, problems } = csv(fields, 'AUD');
  expect(problems).toEqual([]);
  expect(row).toMatchObject(said);
});

test('a cell that looks like a card number is named, and is no fault', () => {
  const { problems, cardLike } = csv({ reference: '5123456789012346' });
  expect([problems, cardLike]).toEqual([[], ['reference']]);
});

test('JSON may have numbers for amounts, booleans for flags and whole numbers for references', () => {
  const fields = { reference: 1001, amount: 2500, successful: false, currency: null };
  expect(json(fields)).toMatchObject({
    problems: [],
    row: { reference: '1001', amount: 2500, outcome: { isApproved: false } },
  });
});

test("a decimal without a currency is in the account's currency", () => {
  expect(csv({ reference: 'A', decimal_amount: '300' }, 'JPY').row.amount).toBe(300);
});

test.each<[JsonObject, string, currency?: string]>([
  [{ amount: '100' }, 'has neither an id nor a reference'],
  [{ id: 'a', refund: 'b' }, 'names its record by both id and refund'],
  [{ id: 'a', amount: '0' }, 'amount is "0", not a whole number'],
  [{ id: 'a', amount: '1e3' }, 'amount is "1e3", not a whole number'],
  [{ id: 'a', amount: '25.00' }, '--map decimal_amount=COLUMN reads a column that way'],
  [{ id: 'a', amount: '9999999999999999' }, 'not a whole number up to'],
  [{ id: '071-P-1', amount: '-100' }, 'amount is negative, which is allowed only for a refund'],
  [{ id: 'a', decimal_amount: '25.001', currency: 'AUD' }, 'is not an amount of AUD'],
  [{ id: 'a', decimal_amount: '25.00001' }, 'is not an amount of AUD above zero', 'AUD'],
  [{ id: 'a', decimal_amount: '1,500' }, 'may be 1500 or 1.500, and nothing tells which', 'AUD'],
  [{ id: 'a', decimal_amount: 'all' }, 'is not an amount of JPY above zero', 'JPY'],
  [{ id: 'a', decimal_amount: 'all' }, 'decimal_amount needs to know the currency'],
  [
    { id: 'a', decimal_amount: '25.00', amount: '2600', currency: 'AUD' },
    'has an amount and a decimal_amount that is another amount',
  ],
  [{ id: 'a', debit: '1.00', credit: '2.00', currency: 'AUD' }, 'has both debit and credit'],
  [{ id: 'a', amount: '100', mark: 'x' }, 'mark is "x", not DR or CR'],
  [{ id: 'a', date: '31/03/2026' }, 'date is "31/03/2026", which is no day'],
  [{ date: '2026-03-31' }, 'has neither an id nor a reference'],
  [{ id: 'a', currency: 'AUX' }, '"AUX" is not an ISO 4217 currency code'],
  [{ id: 'a', successful: 'yes' }, 'successful is "yes", not true or false'],
  [{ id: 'a', state: 'ok' }, 'state is "ok", which is not one of approved'],
  [
    { id: 'a', successful: 'true', state: 'declined' },
    'says that it was approved and also that it was not',
  ],
])('a row of CSV %j is refused', (fields, problem, currency) => {
  const { problems } = csv(fields, currency);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(problem);
});

test.each<[JsonObject, string]>([
  [{ id: 'a', amount: '100' }, 'amount is "100", not a whole number'],
  [{ id: 'a', successful: 'true' }, 'successful is "true", not true or false'],
  [{ id: 'a', decimal_amount: 25, currency: 'AUD' }, 'decimal_amount is 25, not text'],
  [{ id: { a: 1 } }, 'id is {"a":1}, not text'],
])('a row of JSON %j is refused', (fields, problem) => {
  expect(json(fields).problems[0]).toContain(problem);
});

test('an unknown currency of a decimal is one problem', () => {
  const { problems } = csv({ id: 'a', decimal_amount: '25.00', currency: 'AUX' });
  expect(problems).toEqual(['"AUX" is not an ISO 4217 currency code']);
});
