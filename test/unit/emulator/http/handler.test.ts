/** Bytes on the wire, which an ordinary client would not show. */

import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestTarget } from '../../../../src/emulator/http/handler.ts';
import { type RunningServer, serve } from '../../../../src/emulator/http/server.ts';
import { MAX_BODY_BYTES } from '../../../../src/emulator/request-body.ts';
import { openState } from '../../../../src/emulator/state.ts';
import type { Store } from '../../../../src/emulator/store.ts';
import { CARD, testClock } from '../support.ts';

const HOST = 'Host: 127.0.0.1\r\n';
const ACCOUNT = 'Authorization: Basic VEVTVDpURVNU\r\n';
const TOO_LARGE = 'x'.repeat(MAX_BODY_BYTES + 1);
const plans = (method = 'GET', headers = HOST + ACCOUNT) =>
  `${method} /v1.0/plans HTTP/1.1\r\n${headers}\r\n`;
const get = (target: string) => `GET ${target} HTTP/1.1\r\n${HOST}${ACCOUNT}\r\n`;

/** Messages of the server about refused requests. */
const refused: [status: number, reason: string][] = [];
let store: Store;
let server: RunningServer;
beforeAll(async () => {
  const clock = testClock();
  store = openState({ path: ':memory:', clock });
  server = await serve({ store, clock, port: 0, onRefused: (...told) => refused.push(told) });
});
afterAll(async () => {
  await server.close();
  store.close();
});

/** @returns all that comes back for some bytes, after which the connection is to be closed */
function answersTo(...requests: string[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    let answers = '';
    socket.on('data', (data) => {
      answers += data.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answers));
    socket.write(requests.join(''));
  });
}

const LAST = plans('GET', `${HOST}${ACCOUNT}Connection: close\r\n`);
const statuses = (answers: string) =>
  [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);

test.each([
  ['an absolute target', get('http://127.0.0.1/v1.0/plans'), '200'],
  ['segments of dots', get('/v1.0/../v1.0/./plans'), '200'],
  ['a backslash', get('/v1.0\\plans'), '400'],
  ['no target', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', '400'],
  ['an account in its target', get('http://u:p@127.0.0.1/v1.0/plans'), '400'],
  ['two accounts', plans('GET', HOST + ACCOUNT + ACCOUNT), '401'],
  ['a method of nobody', plans('TRACE'), '405'],
])(
  'a request with %s is answered %s, and the next one on its connection is served',
  async (_, request, status) => {
    expect(statuses(await answersTo(request, LAST))).toEqual([status, '200']);
  },
);

test('pipelined requests are answered in their order', async () => {
  const answers = await answersTo(plans(), get('/nowhere'), plans('HEAD'), plans(), LAST);
  expect(statuses(answers)).toEqual(['200', '404', '200', '200', '200']);
});

test('HEAD is answered as GET, without a body', async () => {
  const [head, whole] = await Promise.all(
    ['HEAD', 'GET'].map((method) =>
      answersTo(plans(method, `${HOST}${ACCOUNT}Connection: close\r\n`)),
    ),
  );
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(head).toMatch(/\r\n\r\n$/);
  const length = /\r\ncontent-length: \d+\r\n/;
  expect(length.exec(head!)?.[0]).toBe(length.exec(whole!)?.[0]);
});

const post = (path: string, body: object, method = 'POST') => {
  const text = JSON.stringify(body);
  return `${method} /v1.0/${path} HTTP/1.1\r\n${HOST}${ACCOUNT}Content-Length: ${text.length}\r\n\r\n${text}`;
};
const { card_expiry: expiry_date, ...rest } = CARD;
const person = (reference: string) => ({
  ...{ first_name: 'A', last_name: 'B', email: 'a@example.com', reference },
  card: { ...rest, expiry_date },
});
const bare = (method: string, path: string) =>
  `${method} /v1.0/${path} HTTP/1.1\r\n${HOST}${ACCOUNT}\r\n`;

test('requests of one connection are done in their order, with and without a body', async () => {
  for (let n = 0; n < 20; n++) {
    const path = `customers/order-${n}`;
    const answers = await answersTo(
      post('customers', person(`order-${n}`)),
      post(path, { first_name: 'C' }, 'PUT'),
      bare('DELETE', path),
      bare('GET', path),
      LAST,
    );
    expect(statuses(answers)).toEqual(['201', '200', '200', '404', '200']);
  }
});

test('a broken request is answered after the request before it', async () => {
  for (let n = 0; n < 20; n++) {
    const answers = await answersTo(post('customers', person(`behind-${n}`)), 'NOT HTTP\r\n\r\n');
    expect(statuses(answers)).toEqual(['201', '400']);
  }
});

const large = (more = '') => plans('POST', `${HOST}${more}Content-Length: ${TOO_LARGE.length}\r\n`);

/** Each ends its connection, with one answer that says so, and one line in the log. */
test.each([
  ['a body that is too large', large() + TOO_LARGE, '413', undefined],
  ['such a body that waits to be asked for', large('Expect: 100-continue\r\n'), '413', undefined],
  ['an expectation of something else', plans('GET', `${HOST}Expect: cake\r\n`), '417', 'expects'],
  ['no host', 'GET /v1.0/plans HTTP/1.1\r\n\r\n', '400', 'without a Host header'],
  ['two hosts', plans('GET', HOST + HOST), '400', 'several Host headers'],
  ['a tunnel', `CONNECT 127.0.0.1:80 HTTP/1.1\r\n${HOST}\r\n`, '405', 'for a tunnel'],
  ['a foreign host in its target', get('http://shop.example/v1.0/plans'), '403', 'shop.example'],
  [
    'a chunk that is none',
    `${plans('POST', `${HOST}Transfer-Encoding: chunked\r\n`)}ZZ\r\n`,
    '400',
    'not HTTP',
  ],
  ...['identity', 'gzip', 'gzip, chunked'].map(
    (coding) =>
      [
        `the transfer coding ${coding}`,
        `${plans('POST', `${HOST}Transfer-Encoding: ${coding}\r\n`)}2\r\n{}\r\n0\r\n\r\n`,
        '415',
        'encoded',
      ] as const,
  ),
] as const)('a request with %s', async (_, request, status, reason) => {
  refused.length = 0;
  const answer = await answersTo(request, plans());
  expect(statuses(answer)).toEqual([status]);
  expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  expect(answer).toMatch(/\r\nx-gw-dialect: deployed\r\n/i);
  expect(refused).toEqual(
    reason === undefined ? [] : [[Number(status), expect.stringContaining(reason)]],
  );
});

test('a target that is none is told, without the password in it', async () => {
  refused.length = 0;
  await answersTo(get('http://u:s3cret@127.0.0.1/v1.0/plans'), LAST);
  expect(refused).toEqual([[400, 'whose target is not a path of this server']]);
});

test('a connection ends if its client does not send the refused body', async () => {
  const head = plans('POST', `${HOST}Content-Length: ${TOO_LARGE.length}\r\n`);
  expect(statuses(await answersTo(`${head}x`))).toEqual(['413']);
});

const target = (url: string, host?: string) =>
  requestTarget({ url, headers: host === undefined ? {} : { host } } as IncomingMessage);

describe('a target', () => {
  test.each([
    '/',
    '/v1.0/plans?page=2&x=?y',
    '//v1.0//plans/',
    "/v1.0/purchases/a;b:c@d!$&'()*+,=~-_[]",
    '/v1.0/purchases/%C3%A9%2F%zz%00',
    '/v1.0/plans?x=\\',
    '/v1.0/plans#x',
    '/v1.0/purchases/..%2f',
    '/v1.0/purchases/...',
    '/v1.0/purchases/.x',
  ])('%s is used unchanged', (url) => {
    expect(target(url, '127.0.0.1:4010')).toBe(url);
  });

  test.each([
    ['/v1.0/plans?', '/v1.0/plans'],
    ['/v1.0/../v1.0/plans', '/v1.0/plans'],
    ['/v1.0/./plans', '/v1.0/plans'],
    ['/v1.0/%2E%2e/plans?x=/../', '/plans?x=/../'],
    ['/v1.0/plans/..', '/v1.0/'],
    ['/v1.0/purchases/a"b<c>', '/v1.0/purchases/a%22b%3Cc%3E'],
    ['http://other/v1.0/plans?x=1', '/v1.0/plans?x=1'],
    ['HTTPS://other', '/'],
  ])('%s is %s', (url, expected) => {
    expect(target(url, '127.0.0.1:4010')).toBe(expected);
  });

  test.each(['/v1.0\\plans', '*', '', 'ftp://x/', 'http://', 'http://:x/', 'http://a\\b/'])(
    '%j is refused',
    (url) => {
      expect(target(url, '127.0.0.1:4010')).toBeUndefined();
    },
  );

  test('with credentials is refused', () => {
    expect(target('http://u:p@x/v1.0/plans', '127.0.0.1')).toBeUndefined();
  });
});

describe('a host', () => {
  test.each([undefined, '', 'localhost:80', 'LOCALHOST', '127.0.0.1', '[::1]', '[::1]:80', "a'b"])(
    '%s is accepted',
    (host) => {
      expect(target('/v1.0/plans', host)).toBe('/v1.0/plans');
    },
  );

  test.each(['a:99999', 'a:65536', 'a%41', '[0:0:0:0:0:0:0:1]'])('%s is refused', (host) => {
    expect(target('/v1.0/plans', host)).toBeUndefined();
  });
});
