/** The bytes of a request on the wire. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { type CallInput, wireRequest } from '../../../../src/client/exchange/wire-request.ts';
import type { Operation } from '../../../../src/contract/operation.ts';
import { OPERATIONS } from '../../../../src/contract/operations.ts';
import { planList } from '../../../../src/contract/resources/plan.ts';
import { purchaseCreate, purchaseGet } from '../../../../src/contract/resources/purchase.ts';
import { failureOf } from '../../../helpers/failure.ts';

const SHOP = {
  baseUrl: new URL('https://gateway.example/api'),
  authorization: 'Basic c2hvcDp0b2tlbg==',
  userAgent: 'gw/1.2.3',
};

const wire = (operation: Operation, input: CallInput) => wireRequest(SHOP, operation, input);

test('a request has its address below the base address, credentials and no other headers', () => {
  expect(wire(purchaseGet, { id: '071-P-1' })).toEqual({
    method: 'GET',
    url: new URL('https://gateway.example/api/v1.0/purchases/071-P-1'),
    headers: {
      accept: 'application/json',
      authorization: 'Basic c2hvcDp0b2tlbg==',
      'user-agent': 'gw/1.2.3',
    },
  });
});

test.each([
  ['a/b', 'a%2Fb'],
  ['a b', 'a%20b'],
  ['a?b#c', 'a%3Fb%23c'],
  ['a%2Fb', 'a%252Fb'],
  ['../plans', '..%2Fplans'],
  ['...', '...'],
  ['ü🧾', '%C3%BC%F0%9F%A7%BE'],
  ['$&', '%24%26'],
  ["it's", "it's"],
])('the id %s is one segment of the path', async (id, segment) => {
  const { url } = wire(purchaseGet, { id });
  expect(url.pathname).toBe(`/api/v1.0/purchases/${segment}`);
});

test.each(['.', '..', 'half \ud83e', '\udc00'])('the id %j is not sent', async (id) => {
  const failure = await failureOf(() => wire(purchaseGet, { id }));
  expect(failure).toMatchObject({ kind: 'usage', code: 'id-invalid', exitCode: 2 });
});

test('any other id arrives unchanged', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.constantFrom(...OPERATIONS.filter(({ path }) => path.includes('{'))),
      (id, operation) => {
        fc.pre(!/^\.{1,2}$/.test(id));
        const { url } = wire(operation, { id });
        const [before = '', after = ''] = operation.path.split(/\{\w+\}/);
        const segment = url.pathname.slice(`/api${before}`.length);
        expect(segment).not.toContain('/');
        expect(decodeURIComponent(segment)).toBe(id + after);
        expect(url.search + url.hash).toBe('');
      },
    ),
  );
});

test('a query keeps its order and repeated names', async () => {
  const named = wire(planList, { query: { limit: '10', offset: '2' } });
  expect(named.url.search).toBe('?limit=10&offset=2');
  const pairs = wire(planList, {
    query: [
      ['tag', 'a&b'],
      ['tag', 'ü'],
    ],
  });
  expect(pairs.url.search).toBe('?tag=a%26b&tag=%C3%BC');
});

test('a body is JSON with its content type', async () => {
  const body = { amount: 2500, reference: 'café "🧾"\n', 'x-extra': [null, { a: 1.5 }] };
  const request = wire(purchaseCreate, { body });
  expect(request.headers['content-type']).toBe('application/json');
  expect(request.body).toBe(JSON.stringify(body));
});

test('a body that is nested too deeply is not sent', async () => {
  let body: JsonObject = {};
  for (let depth = 0; depth < 200_000; depth++) body = { body };
  const failure = await failureOf(() => wire(purchaseCreate, { body }));
  expect(failure).toMatchObject({ kind: 'usage', code: 'body-too-deep' });
});
