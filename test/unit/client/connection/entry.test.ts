/** The facts by which the journal recognises a request. They contain no secret. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { moneyRequestOf } from '../../../../src/client/connection/entry.ts';
import type { CallInput } from '../../../../src/client/exchange/wire-request.ts';
import { rawOperation } from '../../../../src/commands/api/raw-operation.ts';
import { rowForRequest } from '../../../../src/contract/operations.ts';
import { refundCreate } from '../../../../src/contract/resources/refund.ts';
import { subscriptionCreate } from '../../../../src/contract/resources/subscription.ts';
import { AT } from '../../../helpers/money-request.ts';

const NUMBER = '5123456789012346';
const known = ({ operation, target, amount, reference }: ReturnType<typeof moneyRequestOf>) => [
  operation,
  target,
  amount,
  reference,
];
const made = (path: string, { body }: CallInput = {}, method = 'POST') => {
  const { operation, id, query } = rawOperation(method, path);
  return moneyRequestOf(AT, operation, {
    ...(id !== undefined && { id }),
    query,
    ...(body && { body }),
  });
};

test('gw recognises a refund by its purchase, amount and reference', () => {
  const body = { transaction_id: '071-P-1', amount: 5, reference: '1001' };
  const request = moneyRequestOf(AT, refundCreate, { body });
  expect(known(request)).toEqual(['refund create', '071-P-1', 5, '1001']);
  expect(request.refundOf).toBe('071-P-1');
});

test('gw recognises a subscription by its reference', () => {
  const body = { customer: 'a', plan: 'p', frequency: 'Weekly', reference: 'S-1' };
  const request = moneyRequestOf(AT, rowForRequest(subscriptionCreate, { body }), { body });
  expect(known(request)).toEqual(['subscription create', null, null, 'S-1']);
});

describe('a request of gw api', () => {
  const capture = '/v1.0/purchases/071-P-1/capture';

  test('is recognised by its method, address and body', () => {
    const { operation, target, body, refundOf } = made(`${capture}?to=a&to=b`, {
      body: { amount: 5 },
    });
    expect(operation).toBe(`api POST ${capture}?to=a&to=b`);
    expect(target).toMatch(/^sha256:[\da-f]{32}$/);
    expect({ body, refundOf }).toEqual({ body: { amount: 5 }, refundOf: null });
    expect(made(`${capture}?to=a&to=b`, { body: { amount: 5 } }).target).toBe(target);
  });

  test.each<[one: [path: string, body?: JsonObject], other: [path: string, body?: JsonObject]]>([
    [
      ['/v1.0/x', { a: 1 }],
      ['/v1.0/x', { a: 2 }],
    ],
    [
      ['/v1.0/x', { a: 1 }],
      ['/v1.0/x', { a: '1' }],
    ],
    [
      ['/v1.0/x', { a: 1 }],
      ['/v1.0/x', { a: [1] }],
    ],
    [
      ['/v1.0/x', { a: 1 }],
      ['/v1.0/y', { a: 1 }],
    ],
    [['/v1.0/x?a=1'], ['/v1.0/x?a=2']],
    [['/v1.0/x?a=1'], ['/v1.0/x', { a: 1 }]],
    [
      ['/v1.0/x', {}],
      ['/v1.0/x', { a: null }],
    ],
  ])('to %j differs from one to %j', ([one, body], [other, otherBody]) => {
    const target = made(one, body && { body }).target;
    expect(made(one, body && { body }).target).toBe(target);
    expect(made(other, otherBody && { body: otherBody }).target).not.toBe(target);
  });

  test('with another method differs', () => {
    expect(made('/v1.0/x', {}, 'PUT').target).not.toBe(made('/v1.0/x').target);
  });

  test.each<[what: string, one: JsonObject, other: JsonObject]>([
    ['cvv', { card_number: NUMBER, cvv: '123' }, { card_number: NUMBER, cvv: '456' }],
    ['CVC', { card: { number: NUMBER, CVC: '123' } }, { card: { number: NUMBER, CVC: '9876' } }],
    ['that there is a CVV', { card_number: NUMBER, cvv: '123' }, { card_number: NUMBER }],
    ['the middle of a card number', { card_number: NUMBER }, { card_number: '5123454444442346' }],
  ])('is not recognised by %s', (_, one, other) => {
    const { operation, target, body } = made('/v1.0/x?cvv=123', { body: one });
    expect(operation).toBe('api POST /v1.0/x');
    expect(JSON.stringify(body)).not.toMatch(/"123"|cv[vc]/i);
    expect(made('/v1.0/x?cvv=456', { body: other }).target).toBe(target);
  });

  test('is stored without the card number in its path', () => {
    expect(made(`/v1.0/cards/${NUMBER}`).operation).toBe('api POST /v1.0/cards/512345XXXXXX2346');
  });
});
