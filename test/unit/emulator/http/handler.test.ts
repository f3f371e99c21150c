/** What is on the wire, byte by byte, where a client of high level would not show it. */

import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { targetOf } from '../../../../src/emulator/http/handler.ts';
import { type RunningServer, serve } from '../../../../src/emulator/http/server.ts';
import { MAX_BODY_BYTES } from '../../../../src/emulator/request-body.ts';
import { openState } from '../../../../src/emulator/state.ts';
import type { Store } from '../../../../src/emulator/store.ts';
import { testClock } from '../support.ts';

const HOST = 'Host: 127.0.0.1\r\n';
const ACCOUNT = 'Authorization: Basic VEVTVDpURVNU\r\n';
const TOO_LARGE = 'x'.repeat(MAX_BODY_BYTES + 1);
const plans = (method = 'GET', headers = HOST + ACCOUNT) =>
  `${method} /v1.0/plans HTTP/1.1\r\n${headers}\r\n`;
const get = (target: string) => `GET ${target} HTTP/1.1\r\n${HOST}${ACCOUNT}\r\n`;

let store: Store;
let server: RunningServer;
beforeAll(async () => {
  const clock = testClock();
  store = openState({ path: ':memory:', clock });
  server = await serve({ store, clock, port: 0 });
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
  ['two accounts', plans('GET', HOST + ACCOUNT + ACCOUNT), '401'],
  ['a method of nobody', plans('TRACE'), '405'],
  [
    'a body with a length that is too large',
    `${plans('POST', `${HOST}Content-Length: ${TOO_LARGE.length}\r\n`)}${TOO_LARGE}`,
    '413',
  ],
])(
  'a request with %s is answered %s, and the next one on its connection is served',
  async (_, request, status) => {
    expect(statuses(await answersTo(request, LAST))).toEqual([status, '200']);
  },
);

test('pipelined requests are answered in their order', async () => {
  const answers = await answersTo(plans(), get('/nowhere'), plans('HEAD'), plans(), LAST);
  expect(statuses(answers)).toEqual(['200', '404', '405', '200', '200']);
});

test('HEAD is answered without a body and without its length', async () => {
  const answers = await answersTo(plans('HEAD', `${HOST}Connection: close\r\n`));
  expect(answers).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
  expect(answers).toMatch(/\r\nallow: POST, GET\r\n/);
  expect(answers).not.toMatch(/\r\n(?:content-length|transfer-encoding):/i);
  expect(answers).toMatch(/\r\n\r\n$/);
});

test('a connection ends if its client does not send the refused body', async () => {
  const head = plans('POST', `${HOST}Content-Length: ${TOO_LARGE.length}\r\n`);
  expect(statuses(await answersTo(`${head}x`))).toEqual(['413']);
});

const target = (url: string, host?: string) =>
  targetOf({ url, headers: host === undefined ? {} : { host } } as IncomingMessage);

describe('a target', () => {
  test.each([
    '/',
    '/v1.0/plans?page=2&x=?y',
    '/v1.0/plans?',
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
    ['/v1.0/../v1.0/plans', '/v1.0/plans'],
    ['/v1.0/./plans', '/v1.0/plans'],
    ['/v1.0/%2E%2e/plans?x=/../', '/plans?x=/../'],
    ['/v1.0/plans/..', '/v1.0/'],
    ['/v1.0/purchases/a"b<c>', '/v1.0/purchases/a%22b%3Cc%3E'],
    ['http://other/v1.0/plans?x=1', '/v1.0/plans?x=1'],
    ['https://other', '/'],
  ])('%s is %s', (url, expected) => {
    expect(target(url, '127.0.0.1:4010')).toBe(expected);
  });

  test.each([
    '/v1.0\\plans',
    '*',
    '',
    'ftp://x/',
    'http://',
    'http://:x/',
    'http://a\\b/',
    'HTTP://x/',
  ])('%j is refused', (url) => {
    expect(target(url, '127.0.0.1:4010')).toBeUndefined();
  });

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
