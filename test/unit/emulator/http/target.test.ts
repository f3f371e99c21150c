import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { targetOf } from '../../../../src/emulator/http/target.ts';

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
  ])('%s is taken as it was sent', (url) => {
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
  ])('%j is none', (url) => {
    expect(target(url, '127.0.0.1:4010')).toBeUndefined();
  });

  test('that names an account is none', () => {
    expect(target('http://u:p@x/v1.0/plans', '127.0.0.1')).toBeUndefined();
  });
});

describe('a host', () => {
  test.each([undefined, '', 'localhost:80', 'LOCALHOST', '127.0.0.1', '[::1]', '[::1]:80', "a'b"])(
    '%s is one',
    (host) => {
      expect(target('/v1.0/plans', host)).toBe('/v1.0/plans');
    },
  );

  test.each(['a:99999', 'a:65536', 'a%41', '[0:0:0:0:0:0:0:1]'])('%s is none', (host) => {
    expect(target('/v1.0/plans', host)).toBeUndefined();
  });
});
