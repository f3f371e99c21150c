/** The door of the desk: by address, by the page that asks, by the secret, by the cookie. */
import { describe, expect, test } from 'vitest';
import { Door } from '../../../../src/commands/desk/door.ts';

const HOST = '127.0.0.1:4244';
const OWN = `http://${HOST}`;
const door = () => new Door(4244);
const cookieOf = (set: string | undefined) => String(set).split(';')[0] ?? '';

describe('a request is refused before anybody looks at it', () => {
  test.each([
    ['another name', { host: 'evil.example:4244' }],
    ['localhost', { host: 'localhost:4244' }],
    ['another port', { host: '127.0.0.1:4245' }],
    ['a name with a dot at its end', { host: '127.0.0.1.:4244' }],
    ['no name', {}],
  ])('to %s', (_, headers) => {
    expect(door().refused({ method: 'GET', url: '/', headers })?.status).toBe(421);
  });

  test.each(['http://127.0.0.1:4244/', '//evil.example/', '*', ''])('for the target %j', (url) => {
    expect(door().refused({ method: 'GET', url, headers: { host: HOST } })?.status).toBe(421);
  });

  test.each([
    ['GET', { origin: 'https://evil.example' }],
    ['GET', { origin: 'http://127.0.0.1:9999' }],
    ['GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['GET', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
    [
      'GET',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    ],
    ['GET', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['POST', {}],
    ['POST', { 'sec-fetch-site': 'same-origin' }],
    ['POST', { origin: 'null' }],
    ['POST', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['POST', { origin: OWN, 'sec-fetch-site': 'same-site' }],
    ['POST', { origin: `${OWN}.evil.example` }],
    ['POST', { origin: 'https://127.0.0.1:4244' }],
  ])('from another page: %s %j', (method, headers) => {
    const refused = door().refused({ method, url: '/', headers: { host: HOST, ...headers } });
    expect(refused?.status).toBe(403);
  });

  test.each(['PUT', 'OPTIONS', 'DELETE', 'HEAD'])('with the method %s', (method) => {
    expect(door().refused({ method, url: '/', headers: { host: HOST } })?.status).toBe(405);
  });
});

test.each([
  ['GET', {}],
  ['GET', { 'sec-fetch-site': 'none' }],
  ['GET', { 'sec-fetch-site': 'same-origin' }],
  [
    'GET',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  ],
  ['POST', { origin: OWN }],
  // A form of a page that sends no referrer.
  ['POST', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
])('a request of a person, or of an own page, is looked at: %s %j', (method, headers) => {
  expect(
    door().refused({ method, url: '/x', headers: { host: HOST, ...headers } }),
  ).toBeUndefined();
});

test('the secret lets in once, and nothing else does', () => {
  const one = door();
  expect(one.enter('')).toBeUndefined();
  expect(one.enter(`${one.secret}x`)).toBeUndefined();
  const set = one.enter(one.secret);
  expect(set).toMatch(/^gw-desk-[\da-f]{12}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  expect(one.enter(one.secret)).toBeUndefined();
  expect(one.isIn({ headers: { cookie: `a=b; ${cookieOf(set)}; c=d` } })).toBe(true);
});

test('a cookie of another process lets nobody in, and has another name', () => {
  const [one, other] = [door(), door()];
  const cookie = cookieOf(one.enter(one.secret));
  expect(one.instance).not.toBe(other.instance);
  expect(other.isIn({ headers: { cookie } })).toBe(false);
  const renamed = cookie.replace(one.instance, other.instance);
  expect(other.isIn({ headers: { cookie: renamed } })).toBe(false);
});

test.each(['cross-site', 'same-site'])('a link on a page of %s leads to the entrance', (site) => {
  const one = door();
  const cookie = cookieOf(one.enter(one.secret));
  expect(one.isIn({ headers: { cookie, 'sec-fetch-site': site } })).toBe(false);
});

test('the secret is in the fragment of the address alone, and a change needs the token', () => {
  const one = door();
  expect(one.address('/?q=a')).toBe(`${OWN}/?q=a#${one.secret}`);
  expect([one.mayChange(one.token), one.mayChange(one.secret), one.mayChange(undefined)]).toEqual([
    true,
    false,
    false,
  ]);
});
