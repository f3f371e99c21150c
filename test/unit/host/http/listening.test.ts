/** Which addresses lead to a server of this machine. */
import { hostname, networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { leadsTo } from '../../../../src/host/http/listening.ts';

const LOOPBACK = 'http://127.0.0.1:4242/';
const ALL = 'http://0.0.0.0:4242/hooks';
const outside = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .filter(({ internal, family }) => !internal && family === 'IPv4')
  .map(({ address }) => address);

test.each<readonly [own: string, other: string]>([
  [LOOPBACK, 'http://127.0.0.1:4242/'],
  [LOOPBACK, 'http://127.0.0.1:4242/another/path?a=b'],
  [LOOPBACK, 'https://127.0.0.1:4242/'],
  [LOOPBACK, 'http://localhost:4242/'],
  [LOOPBACK, 'http://LOCALHOST:4242/'],
  [LOOPBACK, 'http://localhost.:4242/'],
  [LOOPBACK, 'http://127.0.0.2:4242/'],
  [LOOPBACK, 'http://127.1:4242/'],
  [LOOPBACK, 'http://2130706433:4242/'],
  [LOOPBACK, 'http://0x7f.1:4242/'],
  [LOOPBACK, 'http://0.0.0.0:4242/'],
  [LOOPBACK, 'http://[::1]:4242/'],
  [LOOPBACK, 'http://[::]:4242/'],
  [LOOPBACK, 'http://[::ffff:127.0.0.1]:4242/'],
  [LOOPBACK, 'http://[0:0:0:0:0:ffff:7f00:1]:4242/'],
  ['http://[::1]:4242/', 'http://127.0.0.1:4242/'],
  ['http://127.0.0.1/', 'http://localhost:80/'],
  [ALL, 'http://127.0.0.1:4242/'],
  ['http://[::]:4242/', 'http://127.0.0.1:4242/'],
  [LOOPBACK, `http://${hostname()}:4242/`],
  ...outside.map((address) => [ALL, `http://${address}:4242/`] as const),
  ...outside.map((address) => [ALL, `http://[::ffff:${address}]:4242/`] as const),
  ...outside.map((address) => [`http://${address}:4242/`, `http://${address}:4242/`] as const),
  ...outside.map((address) => [LOOPBACK, `http://${address}:4242/`] as const),
])('a server at %s is at %s', async (own, other) => {
  expect(await leadsTo(new URL(own), new URL(other))).toBe(true);
});

test.each<readonly [own: string, other: string]>([
  [LOOPBACK, 'http://127.0.0.1:3000/'],
  [LOOPBACK, 'http://127.0.0.1/'],
  [LOOPBACK, 'http://192.0.2.7:4242/'],
  [LOOPBACK, 'http://nobody.invalid:4242/'],
  [ALL, 'http://localhost:4243/'],
  [ALL, 'http://192.0.2.7:4242/'],
])('a server at %s is not at %s', async (own, other) => {
  expect(await leadsTo(new URL(own), new URL(other))).toBe(false);
});
