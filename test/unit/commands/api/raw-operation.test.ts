/** Requests of the user's own: which have a command, and what the others are. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rawOperation, refuseOverride } from '../../../../src/commands/api/raw-operation.ts';
import { OPERATIONS } from '../../../../src/contract/operations.ts';
import { failureOf } from '../../../helpers/failure.ts';

test.each(OPERATIONS.map((row) => [row.name, row] as const))('%s is recognised', (_, row) => {
  const path = row.path.replace(/\{\w+\}/, '071-X-1');
  for (const written of [
    path,
    path.replace(/\.json$/, ''),
    `${path.replace(/\.json$/, '')}.json`,
  ]) {
    const { operation, command, id } = rawOperation(row.method.toLowerCase(), written);
    expect(operation.path).toBe(written);
    expect(id).toBe(row.path.includes('{') ? '071-X-1' : undefined);
    if (row.effect === 'read') expect(operation).toEqual({ ...row, path: written });
    else expect(command).toBe(row);
  }
});

describe('a write is recognised in every spelling of its path', () => {
  test.each([
    '/v1.0/refunds/',
    '/v1.0//refunds',
    '/V1.0/REFUNDS',
    '/v1.0/%72efunds',
    '/v1.0/%2572efunds',
    '/v1.0%2Frefunds',
    '/%76%31%2e%30/refunds',
    '/v1.0/refunds.JSON/',
    '/v1.0/refunds.xml',
    '/v1.0/refunds;v=1',
    '/v1.0/refunds%20',
    '/v1.0/refunds?reference=RET-1',
    '/v1.0/refunds#x',
    '/v1.0/plans/../refunds',
    '/v1.0/plans/%2e%2e/refunds',
    '/v1.0/plans%2F..%2Frefunds',
    '/v1.0/./refunds',
    '/v1.0\\refunds',
    '/v1.0%5Crefunds',
  ])('POST %s has a command', (path) => {
    expect(rawOperation('POST', path).command?.name).toBe('refund create');
  });

  test('with any letters in capitals or escapes', () => {
    const escaped = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;
    const forms: ((letter: string) => string)[] = [
      (letter) => letter,
      (letter) => letter.toUpperCase(),
      escaped,
      (letter) => escaped(letter).replace('%', '%25'),
    ];
    const form = fc.constantFrom(...forms);
    const path = '/v1.0/purchases';
    fc.assert(
      fc.property(fc.array(form, { minLength: path.length, maxLength: path.length }), (chosen) => {
        const written = [...path].map((letter, i) => chosen[i]?.(letter)).join('');
        expect(rawOperation('POST', `/${written}`.replace(/^\/\//, '/')).command?.name).toBe(
          'purchase create',
        );
      }),
    );
  });

  test.each([
    ['PUT', '/v1.0/plans/071-PL-1', 'plan update', '071-PL-1'],
    ['put', '/V1.0/Plans/071-pl-1.json/', 'plan update', '071-pl-1'],
    ['PUT', '/v1.0/plans/%30%371-PL-1', 'plan update', '071-PL-1'],
    ['PUT', '/v1.0/plans/a%20b', 'plan update', 'a b'],
    ['PUT', '/v1.0/plans/a%2Fb', 'plan update', 'a/b'],
    ['PUT', '/v1.0/plans/GOLD.card', 'plan update', 'GOLD.card'],
    ['PUT', '/v1.0/plans/%ff', 'plan update', '%ff'],
    ['DELETE', '/v1.0/customers/071-C-1', 'customer delete', '071-C-1'],
  ])('%s %s is recognised with its id', (method, path, name, id) => {
    expect(rawOperation(method, path)).toMatchObject({ command: { name }, id });
  });
});

test.each([
  ['POST', '/v2.0/purchases'],
  ['POST', '/v1.0/purchases/071-P-1/capture'],
  ['POST', '/v1.0/subscriptions/SUB-1.json'],
  ['DELETE', '/v1.0/purchases'],
  ['DELETE', '/v1.0/plans/x'],
  ['PUT', '/v1.0/purchases/x'],
  ['POST', '/'],
])('%s %s has no command and is treated like money', (method, path) => {
  const { operation, command } = rawOperation(method, path);
  expect(command).toBeUndefined();
  expect(operation).toMatchObject({ effect: 'money', isForeign: true, path });
  expect(operation.name).toBe(`api ${method} ${path}`);
});

test('any unknown write is treated like money', () => {
  fc.assert(
    fc.property(fc.constantFrom('POST', 'PUT', 'DELETE'), fc.webPath(), (method, tail) => {
      const { operation } = rawOperation(method, `/v1.0/x${tail}`);
      expect(operation.effect).toBe('money');
    }),
  );
});

test('the last id of an unknown path is the target of the request', () => {
  expect(rawOperation('POST', '/v1.0/purchases/071-p-1/capture').id).toBe('071-p-1');
  expect(rawOperation('POST', '/v1.0/purchases/capture').id).toBeUndefined();
});

test.each(['_method', '_HTTP_METHOD', '_httpmethod', 'X-HTTP-Method-Override', 'methodOverride'])(
  'a request with %s may have another method, and is refused',
  async (name) => {
    const failure = await failureOf(() => refuseOverride(['a', name]));
    expect(failure).toMatchObject({ kind: 'usage', code: 'method-overridden' });
    expect(failure.message).toContain(JSON.stringify(name));
  },
);

test.each(['payment_method', 'method', 'override'])(
  'a request with %s keeps its method',
  (name) => {
    expect(() => refuseOverride([name])).not.toThrow();
  },
);

test.each([
  ['/v1.0/purchases/settlement', true],
  ['/v1.0/purchases/INV-1001', true],
  ['/v1.0/purchases/071-R-1', true],
  ['/v1.0/purchases/071-P-1', false],
  ['/v1.0/purchases/071-p-1.json', false],
  ['/v1.0/plans.json', false],
  ['/v1.0/settlements', false],
])('GET %s may differ from its operation: %j', (path, isOther) => {
  const { otherwise, operation } = rawOperation('GET', path);
  expect(otherwise?.isForeign === true && otherwise.effect === 'read').toBe(isOther);
  expect(operation.effect).toBe('read');
});

test('a query in the path keeps its order and repeated names', () => {
  const { operation, query } = rawOperation('GET', '/v1.0/plans.json?limit=1&tag=a&tag=b');
  expect(operation.path).toBe('/v1.0/plans.json');
  expect(query).toEqual([
    ['limit', '1'],
    ['tag', 'a'],
    ['tag', 'b'],
  ]);
});

test.each(['/\\evil.example/v1.0/x', '/x/..//evil.example/v1.0/x', '/\t/evil.example/v1.0/x'])(
  "the path %j stays at the gateway's host",
  (path) => {
    const { operation } = rawOperation('POST', path);
    expect(new URL(`https://gateway.example${operation.path}`).host).toBe('gateway.example');
  },
);

describe('gw api refuses', () => {
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
    'HTTPS://GATEWAY.example/v1.0/purchases',
    '//evil.example/v1.0/plans',
    '\\\\evil.example',
  ])('the path %j', async (path) => {
    expect((await failureOf(() => rawOperation('GET', path))).kind).toBe('usage');
    expect((await failureOf(() => rawOperation('POST', path))).kind).toBe('usage');
  });
});
