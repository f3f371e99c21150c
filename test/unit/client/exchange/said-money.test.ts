/** What a request says of money, wherever and however it says it: one reading for every door. */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { moneyOf, targetOf } from '../../../../src/client/exchange/said-money.ts';
import type { CallInput } from '../../../../src/client/exchange/wire-request.ts';
import type { Operation } from '../../../../src/contract/operation.ts';
import { OPERATIONS } from '../../../../src/contract/operations.ts';
import { purchaseCreate } from '../../../../src/contract/resources/purchase.ts';
import { refundCreate } from '../../../../src/contract/resources/refund.ts';
import { rawOperation } from '../../../../src/requests/submit/raw-operation.ts';

const rows: readonly Operation[] = OPERATIONS;
const REFUND = { transaction_id: '071-P-1', amount: 1000, reference: '1001' };
const SAID = { target: '071-P-1', amount: 1000, reference: '1001', unread: [] };
const read = (input: CallInput) => moneyOf(refundCreate, input);

test.each<[how: string, input: CallInput]>([
  ['as the interface has it', { body: REFUND }],
  ['as numbers', { body: { ...REFUND, reference: 1001 } }],
  ['as texts', { body: { ...REFUND, amount: ' 1000 ' } }],
  ['below zero', { body: { ...REFUND, amount: -1000 } }],
  ['in the query', { query: [['reference', '1001']], body: { ...REFUND, reference: null } }],
  ['all in the query', { query: { transactionid: '071-p-1', AMOUNT: '1000', reference: '1001' } }],
  ['in both, alike', { query: { reference: '1001', amount: '1000' }, body: REFUND }],
  ['in an object', { body: { refund: REFUND } }],
  ['in a list', { body: { refunds: [REFUND] } }],
  ['as a form', { query: Object.fromEntries(entries('refund[$]')) }],
  ['with names of paths', { body: Object.fromEntries(entries('refund.$')) }],
  ['in other letters', { body: { transactionId: ' 071-p-1', Amount: 1000, Reference: '1001' } }],
  ['as a decimal', { body: { ...REFUND, amount: null, decimal_amount: 10 } }],
  ['as both, alike', { body: { ...REFUND, decimalAmount: '10.00' } }],
  ['beside those of others', { body: { ...REFUND, customer: { reference: 'C-1' }, lines: [{}] } }],
  ['beside blanks', { query: { reference: ' ' }, body: REFUND }],
])('it is read %s', (_, input) => {
  expect(read(input)).toMatchObject(SAID);
});

function entries(form: string): [string, string][] {
  return Object.entries(REFUND).map(([name, value]) => [form.replace('$', name), String(value)]);
}

test.each<[value: Json, reference: string | null]>([
  [1001, '1001'],
  ['0010', '0010'],
  [10, '10'],
  [1e3, '1000'],
  [10.5, '10.5'],
  [1e21, '1e+21'],
  [null, null],
  ['', null],
  ['  ', null],
  ['RET-1 ', 'RET-1 '],
])('the reference %j is %j, as it is sent', (reference, expected) => {
  expect(read({ body: { ...REFUND, reference } })).toMatchObject({
    ...{ reference: expected, unread: [] },
  });
});

test.each<[field: string, input: CallInput]>([
  ['reference', { body: { ...REFUND, reference: ['1001'] } }],
  ['reference', { body: { ...REFUND, reference: { of: 'x' } } }],
  ['reference', { body: { ...REFUND, reference: true } }],
  ['reference', { body: { ...REFUND, reference: [] } }],
  ['reference', { query: { reference: '1002' }, body: REFUND }],
  [
    'reference',
    {
      query: [
        ['reference', 'a'],
        ['reference', 'b'],
      ],
      body: { ...REFUND, reference: null },
    },
  ],
  ['amount', { body: { ...REFUND, amount: 10.5 } }],
  ['amount', { body: { ...REFUND, amount: '1e3' } }],
  ['amount', { body: { ...REFUND, amount: [1000] } }],
  ['amount', { body: { ...REFUND, amount: { value: 1000 } } }],
  ['amount,Amount', { body: { ...REFUND, Amount: 7 } }],
  ['amount,decimal_amount', { body: { ...REFUND, decimal_amount: 7 } }],
  ['transaction_id,transactionId', { body: { ...REFUND, transactionId: '071-P-2' } }],
  ['refunds.amount', { body: { refunds: [REFUND, { ...REFUND, amount: 7 }] } }],
])('%s cannot be read where it says several things, or none: %j', (field, input) => {
  const { unread, ...said } = read(input);
  expect(unread.join(',')).toBe(field);
  expect(Object.values(said)).toContain(null);
});

test('what is deeper than anybody reads may be an amount', () => {
  const deep = (depth: number): Json => (depth === 0 ? 'x' : { a: deep(depth - 1) });
  expect(read({ body: { ...REFUND, deep: deep(20) } })).toMatchObject(SAID);
  expect(read({ body: { deep: deep(200) } }).amounts).toMatchObject([{ minor: undefined }]);
});

test.each<[body: JsonObject, amounts: (number | undefined)[]]>([
  [{ amount: 7 }, [7]],
  [{ amount: 7, lines: [{ amount: 3 }, { amount: 99 }] }, [7, 3, 99]],
  [{ amount_cents: 7, total: '12.34', price: 5 }, [7, 1234, 5]],
  [{ decimal_amount: 12.3, currency: 'JPY' }, [undefined]],
  [{ decimal_amount: 12.345, currency: 'bhd' }, [12_345]],
  [{ amount_currency: 'AUD', total: true, note: 99 }, []],
  [{ amount: 'ten' }, [undefined]],
])('all that may be an amount in %j is %j', (body, amounts) => {
  expect(moneyOf(purchaseCreate, { body }).amounts.map(({ minor }) => minor)).toEqual(amounts);
});

describe('the target', () => {
  const row = (name: string) => rows.find((operation) => operation.name === name)!;

  test.each<[name: string, body: JsonObject, target: string | null]>([
    ['purchase create', { card_token: 'tok', card_number: '512345XXXXXX2346' }, 'tok'],
    ['purchase create', { card_number: '512345XXXXXX2346' }, '512345XXXXXX2346'],
    ['purchase create', { card_number: '5123 4567-8901 2346' }, '512345XXXXXX2346'],
    ['purchase create', { card: { number: 5123456789012346 } }, '512345XXXXXX2346'],
    ['purchase create', { cardToken: 'tok' }, 'tok'],
    ['purchase create', { invoice: { number: '17' } }, null],
    ['purchase create', { transaction_id: '071-P-1' }, null],
    ['refund create', { transaction_id: '071-P-1', card_token: 'tok' }, '071-P-1'],
    ['refund create', { transaction_id: 71 }, '71'],
    ['plan create', { card_token: 'tok' }, null],
  ])('of %s with %j is %j', (name, body, target) => {
    expect(targetOf(row(name), { body })).toBe(target);
  });

  test('is the id in the path where the row says so', () => {
    const money = { target: ['{purchase_id}', 'transaction_id'] };
    expect(targetOf({ money }, { id: '071-P-1', body: { transaction_id: 'other' } })).toBe(
      '071-P-1',
    );
    expect(targetOf({ money }, { body: { transaction_id: 'other' } })).toBe('other');
  });

  test('of a request of the user’s own is what it names, or the last id in its path', () => {
    const { operation, id = '' } = rawOperation('POST', '/v1.0/purchases/071-P-1/capture');
    expect(targetOf(operation, { id })).toBe('071-P-1');
    expect(targetOf(operation, { id, body: { card_token: 'tok' } })).toBe('tok');
  });
});
