/** The table of ways in which a request travels, and what neither dialect takes: both answer alike. */
import { MAX_BODY_BYTES } from '../../src/emulator/request-body.ts';
import {
  customer,
  get,
  plan,
  purchase,
  refund,
  subscription,
  tokenize,
  tokenPurchase,
} from './bodies.ts';
import type { Case, Expected } from './case.ts';
import type { ClientRequest, Way } from './client.ts';

const APPROVED: Expected = { status: 200, response: { successful: true, amount: 1000 } };

const row = (title: string, request: ClientRequest, answer = APPROVED): Case => ({
  title,
  steps: [{ request, answer }],
});

const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/JSON;charset=ISO-8859-1',
  'text/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=UTF-8',
  'multipart/form-data; boundary=x',
  '',
];

const WAYS: readonly Way[] = [
  ...(['chunked', 'HTTP/1.0', 'any encoding'] as const),
  ...(['credentials in the address', 'only when challenged'] as const),
];

/** Old versions of curl send this for bodies of more than a kilobyte. */
const EXPECT = { Expect: '100-continue' };
const NESTED = '{"a":'.repeat(5_300) + 1 + '}'.repeat(5_300);
const json = (request: ClientRequest) => JSON.stringify(request.body);

export const SENDING: readonly Case[] = [
  ...TYPES.map((type) => row(`JSON as ${type || 'no content type'}`, { ...purchase(), type })),
  ...WAYS.map((how) => row(`a purchase, ${how}`, { ...tokenPurchase(), how })),
  row('a body that waits to be asked for', { ...purchase(), headers: EXPECT }),
  row('a body with a byte order mark', { ...purchase(), text: `\ufeff${json(purchase())}` }),
  row('a body in many lines', {
    ...{ ...purchase(), text: JSON.stringify(purchase().body, null, 2) },
  }),
  row('a body with its slashes and letters escaped', {
    ...{ ...purchase(), text: json(purchase()).replace('/', '\\/').replace('A', '\\u0041') },
  }),
  row('a connection that is closed', { ...purchase(), headers: { Connection: 'close' } }),
  row('a client that would have HTML', {
    ...purchase(),
    headers: { Accept: 'text/html, image/gif, *; q=.2, */*; q=.2', 'Accept-Charset': 'UTF-8' },
  }),
  row('headers that a gateway does not know', {
    ...purchase(),
    headers: {
      ...{ 'X-Test-Mode': '1', 'X-Client-User-Agent': '{"os":"any"}', 'User-Agent': 'Shop 1' },
      ...{ 'X-FatZebra-Cart': 'abc', 'x-request-id': '1', 'X-Forwarded-For': '203.0.113.7' },
    },
  }),
  row('a path with a slash in a reference', get('subscriptions/a%2Fb%20c'), {
    status: 404,
    errors: ['Record not found'],
  }),
  row(
    'a method that there is not',
    { ...purchase(), method: 'PATCH' },
    { status: 405, errors: ['Method PATCH is not allowed here'] },
  ),
  ...[purchase, refund, tokenize, plan, customer, subscription].map((make) =>
    row(
      `a POST to ${make().path} that is nested 5,300 levels deep`,
      { ...make(), text: json(make()).replace(/}$/, `,"metadata":${NESTED}}`) },
      { status: 400, errors: ['Request body is nested more than 100 levels deep'] },
    ),
  ),
  row(
    'a body that is too large',
    { ...purchase(), text: ' '.repeat(MAX_BODY_BYTES + 1) },
    { status: 413, errors: ['Request body is larger than 1 MiB'] },
  ),
  ...[
    'purchases/void?id={purchase}',
    'purchases/{purchase}/capture',
    'refunds/void?id={refund}',
  ].map((path) =>
    row(
      `POST ${path}, which stays outside`,
      { ...purchase(), path: `/v1.0/${path}` },
      { status: 404, errors: ['Record not found'] },
    ),
  ),
  row(
    'POST direct_debits, which stays outside',
    { ...purchase(), path: '/v1.0/direct_debits' },
    { status: 404, errors: ['Record not found'] },
  ),
  row(
    'a form that is no JSON',
    { ...purchase(), text: 'amount=1000&reference=x' },
    { status: 400, errors: ['Request body is not valid JSON'] },
  ),
];
