import { describe, expect, test } from 'vitest';
import type { Operation } from '../../../src/contract/operation.ts';
import {
  isRecorded,
  lookUpOf,
  OPERATIONS,
  rowForRequest,
  startsCharges,
} from '../../../src/contract/operations.ts';
import {
  subscriptionCreate,
  subscriptionUpdate,
} from '../../../src/contract/resources/subscription.ts';

/** Section 4 of the interface, row by row: method, path, success, and the failures it names. */
const SECTION_4 = `
POST /v1.0/credit_cards 200 -
POST /v1.0/purchases 200 400
GET /v1.0/purchases/{purchase_id} 200 403,404
POST /v1.0/refunds 200 400
GET /v1.0/refunds/{refund_id} 200 404
POST /v1.0/plans 201 400
GET /v1.0/plans.json 200 -
GET /v1.0/plans/{plan_id} 200 404
PUT /v1.0/plans/{plan_id} 200 501
POST /v1.0/customers 201 400
GET /v1.0/customers/{customer_id}.json 200 404
PUT /v1.0/customers/{customer_id}.json 200 404,400
DELETE /v1.0/customers/{customer_id}.json 200 404
POST /v1.0/subscriptions 201 400
GET /v1.0/subscriptions/{subscription_reference}.json 200 404
PUT /v1.0/subscriptions/{subscription_id}.json 200 -
`;

const rows: readonly Operation[] = OPERATIONS;

describe('the table of operations', () => {
  test('the table of operations has the rows of section 4, in its order', () => {
    const expected = SECTION_4.trim()
      .split('\n')
      .map((line) => line.split(' '));
    expect(rows.map((row) => [row.method, row.path, String(row.success)])).toEqual(
      expected.map((row) => row.slice(0, 3)),
    );
    for (const [i, row] of rows.entries()) {
      const named = (expected[i]?.[3] ?? '').split(',').map(Number).filter(Boolean);
      expect(row.failures).toEqual(expect.arrayContaining(named));
    }
  });

  test('the table of operations has each name once', () => {
    expect(new Set(rows.map((row) => row.name)).size).toBe(rows.length);
  });

  test('the table of operations marks only purchases and refunds as money', () => {
    const moving = rows.filter((row) => row.effect === 'money').map((row) => row.name);
    expect(moving).toEqual(['purchase create', 'refund create']);
    for (const row of rows) expect(row.money !== undefined).toBe(row.effect === 'money');
  });

  test('the table of operations has GET for reads only', () => {
    for (const row of rows) expect(row.effect === 'read').toBe(row.method === 'GET');
    for (const row of rows) expect(row.effect === 'destroy').toBe(row.method === 'DELETE');
  });

  test('the table of operations has request bodies for POST and PUT only', () => {
    for (const row of rows) {
      expect(row.body !== undefined).toBe(row.method === 'POST' || row.method === 'PUT');
    }
  });

  test('the table of operations expects 401 of every row, since every request is authenticated', () => {
    for (const row of rows) expect(row.failures).toContain(401);
  });
});

describe('the look-up of a kind', () => {
  test('is the operation that gets one record by the parameter of its path', () => {
    for (const { kind } of rows.filter(({ kind }) => kind !== 'card')) {
      expect(lookUpOf(kind)).toMatchObject({ name: `${kind} get`, kind, method: 'GET' });
    }
    for (const row of rows.filter(({ lookUp }) => lookUp)) expect(row.path).toMatch(/\{\w+\}/);
  });

  test('does not exist for a card', () => {
    expect(lookUpOf('card')).toBeUndefined();
  });
});

describe('a request about a subscription', () => {
  const named = { customer: 'C', plan: 'GOLD', reference: 'inactive' };
  test.each<[string, object]>([
    ['says nothing', { body: {} }],
    ['has no body', {}],
    ['says true', { body: { is_active: true } }],
    ['says it in text', { body: { is_active: 'true' } }],
    ['says it with a number', { body: { is_active: 1 } }],
    ['says what a gateway may take for true', { body: { is_active: 'false' } }],
    ['says null', { body: { is_active: null } }],
    ['says it twice, in other letters', { body: { is_active: false, IsActive: true } }],
    ['says it deeper, too', { body: { is_active: false, subscription: [{ is_active: true }] } }],
  ])('that %s may start charges and counts as money', (_, content) => {
    for (const row of [subscriptionCreate, subscriptionUpdate]) {
      expect(startsCharges(row, content)).toBe(true);
      expect(rowForRequest(row, content).effect).toBe('money');
    }
    // Sent twice, one of them charges twice.
    expect(isRecorded(rowForRequest(subscriptionCreate, content))).toBe(true);
    expect(isRecorded(rowForRequest(subscriptionUpdate, content))).toBe(false);
  });

  test.each<[string, object]>([
    ['says false', { body: { is_active: false } }],
    ['says false beside the rest', { body: { ...named, is_active: false }, query: [] }],
    ['has a query of something else', { body: { is_active: false }, query: [['debug', '1']] }],
  ])('that %s starts no charges', (_, content) => {
    for (const row of [subscriptionCreate, subscriptionUpdate])
      expect(rowForRequest(row, content)).toBe(row);
  });

  test('is the only request that starts charges', () => {
    const starting = rows.filter((row) => startsCharges(row, {}));
    expect(starting.map(({ name }) => name)).toEqual([
      'subscription create',
      'subscription update',
    ]);
    for (const row of rows.filter(({ kind }) => kind !== 'subscription'))
      expect(rowForRequest(row, { body: { is_active: true } })).toBe(row);
  });
});
