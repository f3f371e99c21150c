/** Files of gw that another program holds or has spoilt: money waits, and what needs no file goes on. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, test } from 'vitest';
import { answer, hostileServer } from '../helpers/hostile-server.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { gw } from './support.ts';

const REFUND = ['refund', 'create', '--transaction-id', '071-P-1', '--amount', '100'];
const APPROVED = JSON.stringify({
  successful: true,
  response: { id: '071-R-1', amount: -100, successful: true },
  errors: [],
  test: true,
});

type Place = Awaited<ReturnType<typeof gatewayAndHome>>;

async function gatewayAndHome() {
  let made = 0;
  const gateway = await hostileServer({
    onRequest: (socket, { method }) => {
      const own = () => APPROVED.replace('071-R-1', `071-R-${++made}`);
      socket.write(method === 'GET' ? answer(404, '{}') : answer(200, own()));
    },
  });
  const home = temporaryDirectory();
  const refund = (reference: string) =>
    gw([...REFUND, '--reference', reference], { url: gateway.url, home });
  const posts = () => gateway.requests.filter(({ method }) => method === 'POST').length;
  return { gateway, home, refund, posts };
}

/** Each of them keeps a payment waiting for ten seconds, so they are tried at the same time. */
test('a ledger that another program locks stops money requests and no look-ups', async () => {
  await Promise.all([
    whileHeld('BEGIN IMMEDIATE', async ({ gateway, home }) => {
      const list = await gw(['journal', 'list', '--all-profiles', '-o', 'id'], {
        home,
        url: gateway.url,
      });
      expect(list.code, list.stderr).toBe(0);
    }),
    whileHeld('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE', async ({ gateway, home }) => {
      const read = await gw(['refund', 'get', '071-R-1'], { url: gateway.url, home });
      expect(read.code, read.stderr).toBe(4);
    }),
  ]);
});

/** @param goesOn what works meanwhile */
async function whileHeld(how: string, goesOn: (place: Place) => Promise<void>): Promise<void> {
  const place = await gatewayAndHome();
  const { home, refund, posts } = place;
  expect((await refund('ONE')).code).toBe(0);
  const holder = new DatabaseSync(path.join(home, '.local/state/gw/ledger.db'));
  try {
    holder.exec(how);
    const [held] = await Promise.all([refund('TWO'), goesOn(place)]);
    expect(held, how).toMatchObject({ code: 10, stdout: '' });
    expect(held.stderr).toContain('Nothing was sent.');
  } finally {
    holder.close();
  }
  expect((await refund('TWO')).code).toBe(0);
  expect(posts()).toBe(2);
}

describe('profiles.json that', () => {
  test.each([
    ['is empty', ''],
    ['is cut off', '{"default":"shop","profiles":{"shop":{"envir'],
    ['is a list', '[]'],
    ['has no profiles', '{}'],
    ['names a profile twice', '{"profiles":{"shop":1,"shop":2}}'],
    ['has an address that is none', '{"profiles":{"shop":{"environment":"live","baseUrl":"x"}}}'],
    [
      'has an address in the clear',
      '{"profiles":{"shop":{"environment":"live","baseUrl":"http://gw.example/"}}}',
    ],
    [
      'has an environment of its own',
      '{"profiles":{"shop":{"environment":"prod","baseUrl":"https://gw.example/"}}}',
    ],
    ['is not UTF-8', Buffer.from('7b22ff227d', 'hex')],
    ['is another file', Buffer.alloc(5_000, 'SQLite format 3\0')],
  ])(
    '%s is reported and not changed, and profiles that do not need it work',
    async (_, content) => {
      const { gateway, home, posts } = await gatewayAndHome();
      const file = path.join(home, '.config/gw/profiles.json');
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
      const env = { GW_PROFILE: undefined };
      for (const args of [
        [...REFUND, '--reference', 'R', '--profile', 'shop'],
        ['profile', 'use', 'shop'],
      ]) {
        const { code, stderr, stdout } = await gw(args, { home, env });
        expect([2, 3], stderr).toContain(code);
        expect(stdout).toBe('');
        expect(stderr).toMatch(/^Error: .+\n.+\n$/);
        expect(stderr).not.toMatch(/^ +at /m);
      }
      expect(readFileSync(file)).toEqual(Buffer.from(content));
      const local = await gw(['plan', 'list', '-p', 'local'], { home, env });
      expect(local.code, local.stderr).toBe(0);
      const named = await gw([...REFUND, '--reference', 'R'], { home, url: gateway.url });
      expect(named.code, named.stderr).toBe(0);
      expect(posts()).toBe(1);
    },
  );
});
