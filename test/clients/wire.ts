/**
 * The table of what is on the wire: requests byte by byte, with all that comes back until the connection ends. No HTTP
 * library would send most of them, so each client sends them through a socket of its own.
 */
import { expect } from 'vitest';
import type { Dialect } from '../../src/contract/local-account.ts';
import { MAX_BODY_BYTES } from '../../src/emulator/request-body.ts';
import { basicAuthorization } from '../../src/host/http/basic-auth.ts';
import * as bodies from './bodies.ts';
import { filled } from './case.ts';
import type { Account, ClientRequest } from './client.ts';
import type { Names } from './gateways.ts';

export interface WireCase {
  title: string;
  /** In their texts `{n}` is the number of the connection, in three digits. */
  requests: readonly Part[];
  /** All answers, in their order; an interim one counts. */
  statuses: readonly number[];
  /** In the strict dialect, where it answers otherwise. */
  strict?: readonly number[];
  /** All messages of the last answer that refuses. */
  errors?: readonly string[];
}

/** A request byte by byte; or one whose body has a length that is known when its names are. */
type Part = string | { request: ClientRequest; headers: string };

const HOST = 'Host: {host}\r\n';
const ACCOUNT = 'Authorization: {authorization}\r\n';
const CLOSE = 'Connection: close\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';

/** @param headers in place of the usual ones */
const head = (line: string, more = '', headers = HOST + ACCOUNT) =>
  `${line} HTTP/1.1\r\n${headers}${more}\r\n`;
const get = (target: string, more = '') => head(`GET ${target}`, more);
const LAST = get('/v1.0/plans', CLOSE);
const send = (request: ClientRequest, headers = ''): Part => ({ request, headers });

const post = (more: string) => head('POST /v1.0/plans', more);
const chunked = (text: string, trailers = '') =>
  `${text.length.toString(16)}\r\n${text}\r\n0\r\n${trailers}\r\n`;

const REFERENCE = 'WIRE-{n}';
const CUSTOMER = `/v1.0/customers/${REFERENCE}`;
const PLAN = JSON.stringify(bodies.plan({ reference: `${REFERENCE}-B` }).body);
const TOO_LARGE = ' '.repeat(MAX_BODY_BYTES + 1);
const tooLarge = (more = '') => post(`${more}Content-Length: ${TOO_LARGE.length}\r\n`);

const ORDER: readonly WireCase[] = [
  {
    title: 'a record that is made and looked up',
    requests: [
      send(bodies.subscription({ reference: REFERENCE })),
      get(`/v1.0/subscriptions/${REFERENCE}`),
      get(`/v1.0/subscriptions/${REFERENCE}.json`, CLOSE),
    ],
    statuses: [201, 200, 200],
  },
  {
    title: 'a customer that is made, changed, deleted and looked up',
    requests: [
      send(bodies.customer({ reference: REFERENCE })),
      send({ method: 'PUT', path: CUSTOMER, body: { first_name: 'C' } }),
      head(`DELETE ${CUSTOMER}`),
      get(CUSTOMER, CLOSE),
    ],
    statuses: [201, 200, 200, 404],
    strict: [201, 404, 404, 404],
  },
  {
    title: 'what is no HTTP behind a request',
    requests: [send(bodies.plan({ reference: `${REFERENCE}-A` })), 'NOT HTTP\r\n\r\n'],
    statuses: [201, 400],
    errors: ['Refused: a request that is not HTTP'],
  },
];

/** Each ends its connection with one answer, and the request behind it is not answered. */
const ENDING: readonly WireCase[] = [
  ...['identity', 'gzip', 'gzip, chunked'].map((coding) => ({
    title: `the transfer coding ${coding}`,
    requests: [post(`Transfer-Encoding: ${coding}\r\n`) + chunked('{}')],
    statuses: [415],
    errors: [`Refused: a request whose body is encoded (transfer-encoding: ${coding})`],
  })),
  {
    title: 'a length beside a transfer coding',
    requests: [post(`${CHUNKED}Content-Length: 12\r\n`) + chunked('{}')],
    statuses: [400],
  },
  {
    title: 'two lengths',
    requests: [`${post('Content-Length: 2\r\nContent-Length: 3\r\n')}{} `],
    statuses: [400],
  },
  {
    title: 'a chunk that is none',
    requests: [`${post(CHUNKED)}ZZ\r\n{}\r\n`],
    statuses: [400],
  },
  {
    title: 'a body that is too large',
    requests: [tooLarge() + TOO_LARGE],
    statuses: [413],
    errors: ['Request body is larger than 1 MiB'],
  },
  {
    title: 'a body that turns out too large',
    requests: [post(CHUNKED) + chunked(TOO_LARGE)],
    statuses: [413],
    errors: ['Request body is larger than 1 MiB'],
  },
  {
    title: 'a body that is too large and waits to be asked for',
    requests: [tooLarge('Expect: 100-continue\r\n')],
    statuses: [413],
    errors: ['Request body is larger than 1 MiB'],
  },
  {
    title: 'an expectation of something else',
    requests: [get('/v1.0/plans', 'Expect: cake\r\n')],
    statuses: [417],
  },
  {
    title: 'a target of another host',
    requests: [get('http://shop.example/v1.0/plans')],
    statuses: [403],
    errors: [
      'Refused: a request to shop.example, which is not a name of this machine (--allow-remote accepts it)',
    ],
  },
  { title: 'no host', requests: [head('GET /v1.0/plans', '', ACCOUNT)], statuses: [400] },
  { title: 'two hosts', requests: [get('/v1.0/plans', HOST)], statuses: [400] },
  { title: 'a tunnel', requests: [head('CONNECT 127.0.0.1:80')], statuses: [405] },
].map((found) => ({ ...found, requests: [...found.requests, LAST] }));

const NO_PATH = ['Refused: a request whose target is not a path of this server'];
const NO_ACCOUNT = ['Username or API token is not valid'];

/** Each goes alone, and another request of its connection is answered behind it. */
const SINGLE: readonly WireCase[] = [
  {
    title: 'a body that waits to be asked for',
    request: send(bodies.purchase({ reference: undefined }), 'Expect: 100-continue\r\n'),
    statuses: [100, 200],
  },
  {
    title: 'a body in chunks with a trailer',
    request: post(CHUNKED) + chunked(PLAN, 'X-Sum: 1\r\n'),
    statuses: [201],
  },
  { title: 'OPTIONS *', request: head('OPTIONS *'), statuses: [400], errors: NO_PATH },
  {
    title: 'a backslash in the target',
    request: get('/v1.0\\plans'),
    statuses: [400],
    errors: NO_PATH,
  },
  {
    title: 'a password in the target',
    request: get('http://u:p@127.0.0.1/v1.0/plans'),
    statuses: [400],
    errors: NO_PATH,
  },
  {
    title: 'a target of this host, beside the name of another',
    request: head('GET http://127.0.0.1/v1.0/plans', '', `Host: shop.example\r\n${ACCOUNT}`),
    statuses: [200],
  },
  { title: 'HEAD', request: head('HEAD /v1.0/plans'), statuses: [200] },
  { title: 'HEAD where there is no GET', request: head('HEAD /v1.0/refunds'), statuses: [405] },
  {
    title: 'an unknown path without an account',
    request: head('GET /nowhere', '', HOST),
    statuses: [404],
    errors: ['Record not found'],
  },
  {
    title: 'an unknown method without an account',
    request: head('PATCH /v1.0/plans', '', HOST),
    statuses: [405],
    errors: ['Method PATCH is not allowed here'],
  },
  {
    title: 'no account',
    request: head('GET /v1.0/plans', '', HOST),
    statuses: [401],
    errors: NO_ACCOUNT,
  },
  {
    title: 'two accounts',
    request: get('/v1.0/plans', ACCOUNT),
    statuses: [401],
    errors: NO_ACCOUNT,
  },
].map(({ request, statuses, ...found }) => ({
  ...found,
  requests: [request, LAST],
  statuses: [...statuses, 200],
}));

export const WIRE: readonly WireCase[] = [...ORDER, ...ENDING, ...SINGLE];

/** @returns all bytes of a case for an account, in which only `{n}` is left to fill in */
export function bytesOf(
  { requests }: WireCase,
  { account, names }: { account: Account; names: Names },
): string {
  const { url, username, password } = account;
  const authorization = basicAuthorization(username, password);
  const known = { ...names, host: new URL(url).host, authorization };
  return requests
    .map((part) => {
      if (typeof part === 'string') return filled(part, known);
      const { method, path, body } = filled(part.request, known);
      const text = JSON.stringify(body);
      const headers = `${part.headers}Content-Length: ${text.length}\r\n`;
      return filled(head(`${method} ${path}`, headers), known) + text;
    })
    .join('');
}

/** @param text all that came back, until the connection ended */
export function checkWire(text: string, found: WireCase, dialect: Dialect): void {
  const { requests, errors, statuses, strict = statuses } = found;
  const answers = answersIn(text, requests);
  expect(answers.map(({ status }) => status)).toEqual(dialect === 'strict' ? strict : statuses);
  for (const { headers } of answers.filter(({ status }) => status >= 200))
    expect(headers).toMatch(new RegExp(`^x-gw-dialect: ${dialect}\r$`, 'im'));
  expect(answers.at(-1)?.headers).toMatch(/^connection: close\r$/im);
  const refusal = answers.findLast(({ status }) => status >= 400);
  if (errors) expect(JSON.parse(refusal?.body ?? '').errors).toEqual(errors);
}

interface WireAnswer {
  status: number;
  headers: string;
  body: string;
}

/** Up to the end of the headers. */
const HEAD = /^HTTP\/1\.1 (\d{3}) .*?\r\n\r\n/s;

/** @returns the answers by their own lengths; whatever is left counts as one, with the status 0 */
function answersIn(text: string, requests: readonly Part[]): WireAnswer[] {
  const answers: WireAnswer[] = [];
  const left = [...requests];
  for (let rest = text; rest !== ''; ) {
    const [headers, status = '0'] = HEAD.exec(rest) ?? [rest];
    const isBare = status.startsWith('1') || String(left.shift()).startsWith('HEAD ');
    const length = isBare ? 0 : Number(/^content-length: (\d+)\r$/im.exec(headers)?.[1] ?? 0);
    const end = headers.length + length;
    answers.push({ status: Number(status), headers, body: rest.slice(headers.length, end) });
    rest = rest.slice(end);
  }
  return answers;
}
