/** The pages of the desk over HTTP: who gets one, what is on it, and when the desk ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../../helpers/cli.ts';
import { type OpenDesk, openDesk } from '../../../helpers/desk.ts';
import { scanFolder } from '../../../helpers/scan.ts';

const home = mkdtempSync(path.join(tmpdir(), 'gw-desk-'));
afterAll(() => {
  try {
    scanFolder(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
const HOSTILE = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>&amp;`;
let token = '';

/** Runs a command with the profile of the test gateway, and returns what it prints. */
async function gw(...argv: string[]): Promise<string> {
  const { stdout, failure } = await runCommand('oclif', [...argv, '--profile', 'local'], { home });
  if (failure && failure.kind !== 'declined') throw failure;
  return stdout;
}

beforeAll(async () => {
  token = (
    await gw('tokenize', '--test-card', 'approved', '--card-holder', 'Ada Byron', '-o', 'id')
  ).trim();
  await gw(
    ...['customer', 'create', '--test-card', 'approved', '--first-name', '<b>Ada</b>'],
    ...['--last-name', 'Byron', '--email', 'ada@example.com', '--reference', 'C-2'],
    ...['--card-holder', 'Ada Byron'],
  );
  await gw(
    ...['purchase', 'create', '--card-token', token, '--amount', '2500', '--currency', 'AUD'],
    ...['--reference', HOSTILE],
  );
  await gw(
    ...['purchase', 'create', '--test-card', 'declined', '--amount', '2500', '--currency', 'AUD'],
    ...['--reference', 'x'.repeat(9_000)],
  );
});

let desk: OpenDesk | undefined;
const open = async (...args: Parameters<typeof openDesk> extends [string, ...infer R] ? R : []) => {
  desk = await openDesk(home, ...args);
  return desk;
};
afterEach(async () => {
  await desk?.close();
  desk = undefined;
});

describe('without the cookie', () => {
  test.each(['/', '/?q=byron', '/record?name=C-2', '/events', '/events/stream', '/nothing'])(
    '%s is the entrance, which says nothing of anybody',
    async (target) => {
      const { ask } = await open();
      const { status, text } = await ask(target);
      expect(status).toBe(403);
      expect(text).toContain('action="/enter"');
      for (const secret of ['Byron', 'local', token]) expect(text).not.toContain(secret);
    },
  );

  test('a change is refused, also with the token', async () => {
    const { ask, own, door, port } = await open();
    const body = new URLSearchParams({ token: door.token, kind: 'customer', id: 'C-2' }).toString();
    const { origin = '' } = own;
    expect((await ask('/look-up', { method: 'POST', headers: { origin }, body })).status).toBe(403);
    expect(port).toBeGreaterThan(0);
  });
});

test('a change needs the token beside the cookie', async () => {
  const { ask, own } = await open();
  const body = 'kind=customer&id=C-2&name=C-2';
  const { status, text } = await ask('/look-up', { method: 'POST', headers: own, body });
  expect(status).toBe(403);
  expect(text).toContain('action="/enter"');
});

test('every answer forbids frames, foreign content and keeping', async () => {
  const { ask, own } = await open();
  for (const target of ['/', '/record?name=C-2', '/none']) {
    const { headers } = await ask(target, { headers: own });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'sha256-");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  }
  const refused = await ask('/', { headers: { host: 'evil.example' } });
  expect(refused.status).toBe(421);
  expect(refused.headers['content-security-policy']).toContain("default-src 'none'");
});

test('what people wrote is text on every page', async () => {
  const { ask, own } = await open();
  const searched = await ask('/?q=alert', { headers: own });
  const shown = await ask(`/record?name=${encodeURIComponent(HOSTILE)}`, { headers: own });
  for (const { status, text } of [searched, shown]) {
    expect(status).toBe(200);
    expect(text).toContain('&lt;script&gt;alert(1)');
    expect(text).not.toContain('<script>alert');
    expect(text).not.toContain('<img');
  }
  const customer = await ask('/record?name=C-2', { headers: own });
  expect(customer.text).toContain('&lt;b&gt;Ada&lt;/b&gt; Byron');
  const echoed = await ask(`/?q=${encodeURIComponent('"><script>x')}`, { headers: own });
  expect(echoed.text).not.toContain('<script>x');
});

test('no page has the token of a card, nor more of its number than four digits', async () => {
  const { ask, own } = await open();
  const targets = ['/', '/?q=byron', '/record?name=C-2', `/record?name=${token}`, `/?q=${token}`];
  for (const target of targets) {
    const { text } = await ask(target, { headers: own });
    expect(text).not.toContain(token);
    expect(text).not.toMatch(/\d{6}[X*]+\d{4}/);
  }
  const { text } = await ask('/record?name=C-2', { headers: own });
  expect(text).toContain('•••• 2346');
});

test('a text of 9,000 characters is cut, and the page stays a page', async () => {
  const { ask, own } = await open();
  const { status, text } = await ask('/?q=declined', { headers: own });
  expect(status).toBe(200);
  expect(text).not.toContain('x'.repeat(2_000));
  expect(text).toContain('x…');
});

test('a purchase offers its refund as a command, and no form that moves money', async () => {
  const { ask, own } = await open();
  const { text } = await ask(`/record?name=${encodeURIComponent(HOSTILE)}`, { headers: own });
  const plain = text.replaceAll(/<[^>]+>/g, '');
  expect(plain).toMatch(/gw refund create 071-P-\w+ --full --reference .* -p local/);
  const actions = [...text.matchAll(/action="([^"]*)"/g)].map(([, action]) => action);
  expect(new Set(actions)).toEqual(new Set(['/look-up', '/receipt']));
});

test('the band of a live profile is on every page', async () => {
  const profile = {
    ...({ name: 'shop', environment: 'live', currency: 'AUD' } as const),
    baseUrl: new URL('https://gateway.example'),
  };
  const { ask, own } = await open({ profile });
  for (const target of ['/', '/record?name=x', '/none'])
    expect((await ask(target, { headers: own })).text).toContain('LIVE: profile shop');
});

test('the desk ends when nobody asked for long enough, and a request begins the time anew', async () => {
  let now = 0;
  const sleeps: number[] = [];
  const clock = {
    now: () => new Date('2026-04-01T00:00:00Z'),
    uptimeMs: () => now,
    async sleep(ms: number) {
      sleeps.push(ms);
      now += ms;
    },
  };
  const { ask, own, server } = await open({ clock, idleMs: 1_000 });
  now = 400;
  await ask('/', { headers: own });
  // A stranger does not keep it open.
  now = 900;
  await ask('/');
  expect(await server.untilEnd()).toBe('idle');
  expect(sleeps).toEqual([500]);
});

test('an interruption ends it', async () => {
  const controller = new AbortController();
  const { server } = await open({ interrupted: controller.signal });
  const end = server.untilEnd();
  controller.abort();
  expect(await end).toBe('interrupted');
});
