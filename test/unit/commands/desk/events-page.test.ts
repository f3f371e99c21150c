/** Events on the desk: which are shown, in what words, and where one may be sent again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCAL_PROFILE } from '../../../../src/client/profiles/profile.ts';
import { PageTokens } from '../../../../src/commands/desk/desk.ts';
import { eventStream } from '../../../../src/commands/desk/event-stream.ts';
import { openEvents } from '../../../../src/events/store/event-file.ts';
import { createFiles } from '../../../../src/host/files/files.ts';
import type { Host } from '../../../../src/host/host.ts';
import { Redactor } from '../../../../src/host/redaction/redactor.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { NO_PROGRAM, type OpenDesk, openDesk } from '../../../helpers/desk.ts';

const home = mkdtempSync(path.join(tmpdir(), 'gw-desk-'));
const files = createFiles({ HOME: home });
const TOKEN = 'hqy7mj2obxa3';
let desk: OpenDesk;

/** Keeps an event, as `gw listen` does. */
async function keep(
  id: string,
  more: {
    profile?: string;
    verification?: 'contradicted' | 'waiting';
    forwardTo?: string;
    body?: string;
    fault?: string;
  } = {},
): Promise<number> {
  const { profile = 'local', verification, forwardTo = null, fault = null } = more;
  const charge = { id, amount: 2500, currency: 'AUD', successful: true, message: 'Approved' };
  const purchase = { ...charge, reference: `REF-${id}`, card_token: TOKEN };
  const payload = [
    { subscription: { id: 'S-1' }, response: { successful: true, response: purchase } },
  ];
  const body = more.body ?? JSON.stringify({ event: 'charge:successful', payload });
  const store = openEvents({ files });
  const { id: number } = await store.append({
    ...{ receivedAt: '2026-04-01T00:00:00.000Z', profile, mode: 'Sandbox', status: 200 },
    ...({ authentication: 'none', event: 'charge:successful' } as const),
    outcome: fault === null ? 'approved' : 'bad',
    ...{ fault, source: id, identity: id, isLasting: true, isMasked: false, forwardTo },
    headers: [['X-Evil', '<script>alert(1)</script>']],
    body: Buffer.from(body),
    verification: verification ? { state: verification, reason: 'it is declined' } : null,
  });
  await store.close();
  return number;
}

beforeAll(async () => {
  desk = await openDesk(home);
});
afterAll(async () => {
  await desk?.close();
  rmSync(home, { recursive: true, force: true });
});

const page = async (at: string) => (await desk.ask(at, { headers: desk.own })).text;
const send = (id: number, to: string) =>
  desk.ask(`/events/${id}/resend`, {
    method: 'POST',
    headers: desk.own,
    body: new URLSearchParams({ token: desk.door.token, to }).toString(),
  });

test('one event has its headers and its payload, and no token of a card', async () => {
  const id = await keep('P-1');
  const text = await page(`/events/${id}`);
  expect(text).toContain('Hearsay.');
  expect(text).toContain('&lt;script&gt;alert(1)');
  expect(text).toContain('REF-P-1');
  expect(text).not.toContain(TOKEN);
  expect(text).not.toContain('<script>alert');
});

test('the list has the events of the profile, by name', async () => {
  await keep('P-2', { profile: 'other' });
  const [own, none] = [await page('/events'), await page('/events?event=card:*')];
  expect(own.match(/<tr>/g)).toHaveLength(2);
  expect(none.match(/<tr>/g)).toHaveLength(1);
});

test('an event of another profile has no page', async () => {
  const id = await keep('P-3', { profile: 'other' });
  const { status, text } = await desk.ask(`/events/${id}`, { headers: desk.own });
  expect([status, text.includes('REF-P-3')]).toEqual([404, false]);
});

test('an event is sent again to an address of `gw listen --forward-to` alone', async () => {
  const id = await keep('P-4');
  const { status, text } = await send(id, 'http://127.0.0.1:1/hooks');
  expect([status, text.includes('only to addresses of')]).toEqual([400, true]);
});

test('what the gateway contradicts is said', async () => {
  const id = await keep('P-6', { verification: 'contradicted' });
  expect(await page(`/events/${id}`)).toContain(
    'The gateway contradicts this event: it is declined',
  );
});

test('a reference of a megabyte is cut wherever it is shown', async () => {
  const long = 'x'.repeat(2 ** 20);
  const subscription = { id: 'S-LONG', reference: long };
  const response = { id: 'P-LONG', amount: 2500, currency: 'AUD', reference: long };
  const payload = [{ subscription, response: { successful: true, response } }];
  const id = await keep('P-LONG', {
    body: JSON.stringify({ event: 'charge:successful', payload }),
  });
  const targets = ['/events', `/events/${id}`, '/?q=P-LONG', '/record?name=P-LONG', '/today'];
  for (const target of targets) {
    const { status, text } = await desk.ask(target, { headers: desk.own });
    expect([target, status, text.length < 200_000]).toEqual([target, 200, true]);
    expect([target, text.includes('x'.repeat(1_001))]).toEqual([target, false]);
  }
  expect(await page('/record?name=P-LONG')).toContain('x…');
});

test('a body that gw could not read is not on the page, which says so', async () => {
  const body = `{"card_token":"${TOKEN}", <script>`;
  const id = await keep('P-9', { body, fault: 'it is no JSON' });
  const text = await page(`/events/${id}`);
  expect(text).toContain(`${body.length} bytes that gw could not read.`);
  expect(text).toContain(`gw events show ${id}`);
  expect(text).not.toContain(TOKEN);
  expect(text).toContain('BAD DELIVERY');
});

/** The stream of a page whose newest event has this number. */
function streamOf(after: number, left: AbortController) {
  const host: Host = createTestHost({ home });
  const context = { host, redactor: new Redactor(), root: '.' };
  const us = { profile: LOCAL_PROFILE, of: LOCAL_PROFILE };
  const tokens = new PageTokens(context.redactor);
  const own = { context, profile: LOCAL_PROFILE, us, program: NO_PROGRAM, tokens, token: '' };
  return eventStream(own, { event: 'charge:successful', customer: '', after }, left.signal);
}

test('an event that is verified later comes once more', async () => {
  const id = await keep('P-10', { verification: 'waiting' });
  const left = new AbortController();
  const stream = streamOf(id - 1, left);
  expect((await stream.next()).value).toContain('unverified, approved');
  const next = stream.next();
  const store = openEvents({ files });
  await store.verify(id, { state: 'contradicted', reason: 'it is declined' });
  await store.close();
  const { value } = await next;
  expect(String(value).match(/<tr>/g)).toHaveLength(2);
  expect(value).toContain('contradicted, approved');
  left.abort();
  expect((await stream.next()).done).toBe(true);
});

test('new events come once, in a frame of one line, until the page is left', async () => {
  const after = await keep('P-7');
  const left = new AbortController();
  const stream = streamOf(after, left);
  const first = stream.next();
  const id = await keep('P-8');
  const { value } = await first;
  expect(value).toMatch(new RegExp(`^id: ${id}\\nevent: event\\ndata: [^\\n]*\\n\\n$`));
  expect(String(value).split(`>${id}</a>`)).toHaveLength(2);
  left.abort();
  expect((await stream.next()).done).toBe(true);
});
