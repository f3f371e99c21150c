/** Requests of the user's own: which row of the interface they are, and what that means for the money. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../../../src/contract/operations.ts';
import { refundCreate } from '../../../../src/contract/resources/refund.ts';
import { rawOperation } from '../../../../src/requests/submit/raw-operation.ts';
import { failureOf } from '../../../helpers/failure.ts';

test.each(OPERATIONS.map((row) => [row.name, row] as const))('%s is recognised', (_, row) => {
  const path = row.path.replace(/\{\w+\}/, '071-X-1');
  for (const written of [
    path,
    path.replace(/\.json$/, ''),
    `${path.replace(/\.json$/, '')}.json`,
  ]) {
    const { operation } = rawOperation(row.method.toLowerCase(), written);
    expect(operation).toEqual({ ...row, path: written });
  }
});

test.each([
  ['POST', '/v1.0/purchases/', 'money'],
  ['POST', '/V1.0/PURCHASES', 'money'],
  ['POST', '/v1.0/%70urchases', 'money'],
  ['POST', '/v1.0/plans/../purchases', 'money'],
  ['POST', '/v1.0/plans/%2e%2e/purchases', 'money'],
  ['POST', '/v2.0/purchases', 'money'],
  ['DELETE', '/v1.0/plans/x', 'money'],
  ['PUT', '/v1.0/purchases/x', 'money'],
  ['GET', '/v1.0/anything', 'read'],
])('%s %s is treated as %s', (method, path, effect) => {
  expect(rawOperation(method, path).operation.effect).toBe(effect);
});

test.each([
  '/v1.0/refunds/',
  '/v1.0//refunds',
  '/V1.0/REFUNDS',
  '/v1.0/%72efunds',
  '/v1.0/refunds.JSON/',
])('POST %s is a refund, and goes out as it is written', (path) => {
  const { operation } = rawOperation('POST', path);
  expect(operation).toEqual({ ...refundCreate, path });
});

test('whatever is not a row and not a look-up is treated like money', () => {
  fc.assert(
    fc.property(fc.constantFrom('POST', 'PUT', 'DELETE'), fc.webPath(), (method, tail) => {
      const { operation } = rawOperation(method, `/v1.0/x${tail}`);
      expect(operation.effect).toBe('money');
    }),
  );
});

test.each([
  '/v1.0/purchases/071-p-1/Capture/',
  '/V1.0//purchases/071-P-1/capture.json',
  '/v1.0/purchases/%30%371-P-1/capture',
])('%s is known as one request, however it is written', (path) => {
  const { operation, id } = rawOperation('POST', path);
  expect(operation).toMatchObject({ name: 'api POST /v1.0/purchases/071-P-1/capture', path });
  expect(id?.toUpperCase()).toBe('071-P-1');
});

test.each([
  ['GET', '/v1.0/purchases?_method=POST', []],
  ['GET', '/v1.0/purchases/071-P-1', ['_method']],
  ['POST', '/v1.0/plans', ['X-HTTP-Method-Override']],
  ['PUT', '/v1.0/plans/071-PL-1', ['_http_method']],
] as const)(
  '%s %s with %j may be any request, so it is treated as money',
  (method, path, given) => {
    const { operation } = rawOperation(method, path, given);
    expect(operation).toMatchObject({ effect: 'money', isForeign: true });
  },
);

test.each([
  ['/v1.0/purchases?payment_method=card', ['method']],
  ['/v1.0/purchases', ['override']],
] as const)('%s with %j is what it is', (path, given) => {
  expect(rawOperation('POST', path, given).operation.name).toBe('purchase create');
});

test.each([
  ['GET', '/v1.0/purchases/settlement', true],
  ['GET', '/v1.0/purchases/INV-1001', true],
  ['GET', '/v1.0/purchases/071-R-1', true],
  ['GET', '/v1.0/purchases/071-P-1', false],
  ['GET', '/v1.0/purchases/071-p-1.json', false],
  ['GET', '/v1.0/plans.json', false],
  ['GET', '/v1.0/settlements', false],
  ['PUT', '/v1.0/plans/gold', false],
])('%s %s may be another look-up than its row: %j', (method, path, isOther) => {
  const { otherwise } = rawOperation(method, path);
  expect(otherwise?.isForeign === true && otherwise.effect === 'read').toBe(isOther);
});

test('a query in the path is kept, in order', () => {
  const { operation, query } = rawOperation('GET', '/v1.0/plans.json?limit=1&offset=2');
  expect(operation.path).toBe('/v1.0/plans.json');
  expect([...(Array.isArray(query) ? query : Object.entries(query))]).toEqual([
    ['limit', '1'],
    ['offset', '2'],
  ]);
});

test('a name that comes twice in a query is kept twice', () => {
  const { query } = rawOperation('GET', '/v1.0/plans.json?tag=a&tag=b');
  expect([...(Array.isArray(query) ? query : Object.entries(query))]).toEqual([
    ['tag', 'a'],
    ['tag', 'b'],
  ]);
});

test('a path with backslashes does not lead to another host', () => {
  const { operation } = rawOperation('GET', '/\\evil.example/v1.0/plans');
  expect(operation.path).toBe('/v1.0/plans');
});

describe('is refused', () => {
  test.each(['PATCH', 'HEAD', 'OPTIONS', 'CONNECT', '', 'GET '])(
    'the method %j',
    async (method) => {
      expect((await failureOf(() => rawOperation(method, '/v1.0/plans'))).kind).toBe('usage');
    },
  );

  test.each([
    '',
    'v1.0/plans',
    'https://evil.example/v1.0/plans',
    '//evil.example/v1.0/plans',
    '\\\\evil.example',
  ])('the path %j', async (path) => {
    expect((await failureOf(() => rawOperation('GET', path))).kind).toBe('usage');
  });
});
