/** Reads the amounts of a request, in the same way for every command. */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { amountsIn, moneyOf, targetOf } from '../../../../src/client/exchange/said-money.ts';
import type { Operation } from '../../../../src/contract/operation.ts';
import { likeMoney, OPERATIONS } from '../../../../src/contract/operations.ts';
import { refundCreate } from '../../../../src/contract/resources/refund.ts';

const rows: readonly Operation[] = OPERATIONS;
const REFUND = { transaction_id: '071-P-1', amount: 1000, reference: '1001' };
const read = (body: JsonObject) => moneyOf(refundCreate, { body });

test.each<[how: string, body: JsonObject]>([
  ['as the interface has it', REFUND],
  ['as numbers', { ...REFUND, reference: 1001 }],
  ['as texts', { ...REFUND, amount: ' 1000 ' }],
  ['below zero', { ...REFUND, amount: -1000 }],
  ['in small letters', { ...REFUND, transaction_id: ' 071-p-1' }],
  ['beside fields that the interface does not have', { ...REFUND, refund: { amount: 7 } }],
])('a refund is read %s', (_, body) => {
  expect(read(body)).toEqual({
    ...{ target: '071-P-1', amount: 1000, currency: null, reference: '1001' },
  });
});

test.each<[value: Json, reference: string | null]>([
  [1001, '1001'],
  ['0010', '0010'],
  [10.5, '10.5'],
  [1e21, '1e+21'],
  [null, null],
  ['', null],
  ['  ', null],
  [['a'], null],
  [{ of: 'x' }, null],
  ['RET-1 ', 'RET-1 '],
])('the reference %j is read as %j', (reference, expected) => {
  expect(read({ ...REFUND, reference }).reference).toBe(expected);
});

test.each<[body: JsonObject, amounts: (number | undefined)[]]>([
  [{ amount: 7 }, [7]],
  [{ amount: '7' }, [7]],
  [{ amount: -7 }, [7]],
  [{ amount: 7, lines: [{ amount: 3 }, { amount: 99 }] }, [7, 3, 99]],
  [{ amount_cents: 7, total: '12.34', price: 5 }, [7, 1234, 5]],
  [{ AMOUNT: 7, subTotal: 5 }, [7, 5]],
  [{ total: { value: 99 } }, [undefined]],
  [{ decimal_amount: 12.3, currency: 'JPY' }, [undefined]],
  [{ decimal_amount: 12.345, currency: 'bhd' }, [12_345]],
  [{ decimal_amount: 25 }, [2500]],
  [{ amount_currency: 'AUD', total: true, note: 99 }, []],
  [{ amount: 'ten' }, [undefined]],
])('the possible amounts in %j are %j', (body, amounts) => {
  expect(amountsIn(body).map(({ minor }) => minor)).toEqual(amounts);
});

describe('the target', () => {
  test.each<[name: string, body: JsonObject, target: string | null]>([
    ['purchase create', { card_token: 'tok', card_number: '512345XXXXXX2346' }, 'tok'],
    ['purchase create', { card_number: '512345XXXXXX2346' }, '512345XXXXXX2346'],
    ['purchase create', { card_number: '5123 4567-8901 2346' }, '512345XXXXXX2346'],
    ['purchase create', { card_number: 5123456789012346 }, '512345XXXXXX2346'],
    ['purchase create', { transaction_id: '071-P-1' }, null],
    ['refund create', { transaction_id: '071-P-1', card_token: 'tok' }, '071-P-1'],
    ['refund create', { transaction_id: 71 }, '71'],
    ['tokenize', { card_number: '5123456789012346' }, '512345XXXXXX2346'],
    ['customer create', { card: { card_number: '5123456789012346' } }, '512345XXXXXX2346'],
    ['plan create', { card_token: 'tok' }, null],
  ])('of %s with %j is %j', (name, body, target) => {
    const row = rows.find((operation) => operation.name === name)!;
    expect(targetOf(likeMoney(row), { body })).toBe(target);
  });
});
