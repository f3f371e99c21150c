/** What a request is known by, that it is the same by every door, and that no secret becomes part of it. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { moneyRequestOf } from '../../../../src/client/connection/money-request-of-call.ts';
import type { CallInput } from '../../../../src/client/exchange/wire-request.ts';
import { purchaseCreate } from '../../../../src/contract/resources/purchase.ts';
import { refundCreate } from '../../../../src/contract/resources/refund.ts';
import { rawOperation } from '../../../../src/requests/submit/raw-operation.ts';
import { AT } from '../../../helpers/money-request.ts';

const NUMBER = '5123456789012346';
const known = ({ operation, target, amount, reference }: ReturnType<typeof moneyRequestOf>) => [
  operation,
  target,
  amount,
  reference,
];
const own = (path: string, { id: _, ...input }: CallInput = {}, method = 'POST') => {
  const { operation, id, query } = rawOperation(method, path);
  const all = { ...(id !== undefined && { id }), query, ...input };
  return known(moneyRequestOf(AT, operation, all));
};
const refund = (body: JsonObject) => known(moneyRequestOf(AT, refundCreate, { body }));

test('a refund by gw api is known as the one of a command', () => {
  const body = { transaction_id: '071-P-1', amount: 5, reference: '1001' };
  expect(own('/v1.0/refunds', { body: { ...body, reference: 1001 } })).toEqual(refund(body));
  const path = '/V1.0/refunds.json?Reference=1001&amount=5&transactionId=071-p-1';
  expect(own(path, { body: {} })).toEqual(refund(body));
  expect(moneyRequestOf(AT, refundCreate, { body: { refund: body } }).refundOf).toBe('071-P-1');
});

test('a subscription without a reference is known by all of it, and with one by that', () => {
  const create = (body: JsonObject) => own('/v1.0/subscriptions', { body });
  expect(create({ customer: 'a', plan: 'p' })).toEqual(create({ plan: 'p', customer: 'a' }));
  expect(create({ customer: 'a', plan: 'p' })).not.toEqual(create({ customer: 'b', plan: 'p' }));
  const known = ['subscription create', null, null, 'S-1'];
  expect(create({ customer: 'a', reference: 'S-1' })).toEqual(known);
  expect(create({ customer: 'b', reference: 'S-1' })).toEqual(known);
});

describe('a request of one’s own', () => {
  const capture = '/v1.0/purchases/071-P-1/capture';

  test('is known by its purchase and amount, or by its reference', () => {
    const known = ['api POST /v1.0/purchases/071-P-1/capture', '071-P-1', 5, null];
    expect(own(capture, { body: { amount: 5 } })).toEqual(known);
    expect(own(`${capture}/?amount=5`)).toEqual(known);
    expect(own(capture, { body: { amount: '5', note: 'x' } })).toEqual(known);
    expect(own('/v1.0/payouts', { body: { amount: 5, reference: 7, to: 'a' } })).toEqual([
      ...['api POST /v1.0/payouts', null, 5, '7'],
    ]);
  });

  test.each<[one: CallInput, other: CallInput]>([
    [{ body: { amount: 5, to: 'a' } }, { body: { amount: 5, to: 'b' } }],
    [{ body: { to: 'a' } }, { body: { to: ['a'] } }],
    [{ query: [['to', 'a']] }, { query: [['to', 'b']] }],
    [{ query: [['to', 'a']] }, { body: { to: 'a' } }],
    [{ body: {} }, { body: { to: null } }],
  ])('is known by all of it where it says neither: %j is not %j', (one, other) => {
    expect(own('/v1.0/payouts', one)).toEqual(own('/v1.0/payouts', one));
    expect(own('/v1.0/payouts', one)).not.toEqual(own('/v1.0/payouts', other));
    expect(own('/v1.0/payouts', one)).not.toEqual(own('/v1.0/transfers', one));
    expect(own('/v1.0/payouts', one)[1]).toMatch(/^sha256:[\da-f]{32}$/);
  });

  test('is the same in whatever order its fields stand', () => {
    const one = own('/v1.0/x', { body: { a: 1, b: { c: 2, d: [3, { e: 4, f: 5 }] } } });
    const other = own('/v1.0/x', { body: { b: { d: [3, { f: 5, e: 4 }], c: 2 }, a: 1 } });
    expect(other).toEqual(one);
  });
});

test('a request that cannot be read is known by all of it, and still draws on its purchase', () => {
  const body = { transaction_id: '071-P-1', amount: 5 };
  const one = moneyRequestOf(AT, refundCreate, { body: { ...body, reference: ['a'] } });
  const other = moneyRequestOf(AT, refundCreate, { body: { ...body, reference: ['b'] } });
  expect(one).toMatchObject({ reference: null, refundOf: '071-P-1', amount: 5 });
  expect(one.target).toMatch(/^sha256:/);
  expect(other.target).not.toBe(one.target);
});

test.each<[what: string, one: JsonObject, other: JsonObject]>([
  ['cvv', { card_number: NUMBER, cvv: '123' }, { card_number: NUMBER, cvv: '456' }],
  ['CVC', { card: { number: NUMBER, CVC: '123' } }, { card: { number: NUMBER, CVC: '9876' } }],
  ['that there is a CVV', { card_number: NUMBER, cvv: '123' }, { card_number: NUMBER }],
  ['the middle of a card number', { card_number: NUMBER }, { card_number: '5123454444442346' }],
])('%s is no part of what anything is known by', (_, one, other) => {
  for (const operation of [purchaseCreate, rawOperation('POST', '/v1.0/x').operation]) {
    const make = (body: JsonObject, cvv: string) =>
      moneyRequestOf(AT, operation, { query: { cvv }, body: { ...body, amount: [1] } });
    const { target, body } = make(one, '123');
    expect(target).toMatch(/^sha256:/);
    expect(JSON.stringify(body)).not.toMatch(/"123"|cv[vc]/i);
    expect(make(other, '456').target).toBe(target);
  }
});
