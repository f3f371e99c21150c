/** Pages of the desk that run a command of the built program: reports, receipts, look-ups, proposals, events sent again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openEvents } from '../../src/events/store/event-file.ts';
import { createFiles } from '../../src/host/files/files.ts';
import { MOST_PROPOSED } from '../../src/journal/proposals.ts';
import { type RunningDesk, startDesk } from '../helpers/browser.ts';
import { type Answered, enter } from '../helpers/desk.ts';
import { Cluster, findPostgres } from '../helpers/postgres.ts';
import { scanFolder } from '../helpers/scan.ts';
import { openShop, type Shop } from '../helpers/shop.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const home = mkdtempSync(path.join(tmpdir(), 'gw-desk-'));
let shop: Shop;
let at: Open;

interface Open {
  desk: RunningDesk;
  page(target: string): Promise<Answered>;
  /** @param form without the token, which is sent along */
  post(target: string, form: Record<string, string>): Promise<Answered>;
}

async function open(profile = 'shop', of = { home, shop }): Promise<Open> {
  const desk = await startDesk(of.home, ['--profile', profile], of.shop.env);
  const { own, ask } = await enter(desk.address);
  const page = (target: string) => ask(target, { headers: own });
  const [, token = ''] =
    /name="token" value="([^"]+)"/.exec((await page('/record?name=071-P-NONE0000')).text) ?? [];
  const post: Open['post'] = (target, form) => {
    const body = new URLSearchParams({ token, ...form }).toString();
    return ask(target, { method: 'POST', headers: own, body });
  };
  return { desk, page, post };
}

/** @returns the words of a page */
const wordsOf = ({ text }: Pick<Answered, 'text'>) =>
  text
    .slice(text.indexOf('<main'), text.indexOf('</main'))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

beforeAll(async () => {
  shop = await openShop(home);
  at = await open();
});
afterAll(async () => {
  await at?.desk.stop();
  await shop?.stop();
  try {
    scanFolder(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

test('each report has a page, and none has more of a card than its last four digits', async () => {
  const { text } = await at.page('/report');
  const reports = [...text.matchAll(/href="(\/report\?of=[^"]+)"/g)].map(
    ([, target = '']) => target,
  );
  expect(reports.length).toBeGreaterThan(10);
  const token = await shop.gw('customer', 'get', 'C-1', '--jq', '.card_token');
  for (const target of [...reports, '/report?of=customer&more=ada+byron', '/report?of=charges']) {
    const answer = await at.page(target);
    expect([target, answer.status, answer.text.includes('role="alert"')]).toEqual([
      target,
      200,
      false,
    ]);
    expect(answer.text).not.toContain(token);
    expect(answer.text).not.toMatch(/\d{6}[X*]+\d{4}/);
  }
  const charges = wordsOf(await at.page('/report?of=charges'));
  expect(charges).toContain(`25.00 AUD Ada Byron INV-1 ${shop.purchase}`);
  const statement = wordsOf(await at.page('/report?of=customer+ada+byron'));
  expect(statement).toContain('Left after refunds: 25.00 AUD.');
});

test('a report says below the field what it does not understand, and takes no flag from a page', async () => {
  const answer = await at.page('/report?of=month&more=nonsense');
  expect(answer.text).toContain('role="alert"');
  const file = path.join(home, 'written');
  const flags = await at.page(`/report?of=charges&more=${encodeURIComponent(`--xlsx=${file}`)}`);
  expect(flags.text).toContain('role="alert"');
  const other = await at.page('/report?of=../refund:create');
  expect(wordsOf(other)).toContain('List every charge and refund');
});

test('a look-up asks the gateway, and goes on to the record', async () => {
  const form = { kind: 'purchase', id: shop.purchase, name: shop.purchase };
  const { status, headers } = await at.post('/look-up', form);
  expect([status, headers.location]).toEqual([303, `/record?name=${shop.purchase}`]);
  const failed = await at.post('/look-up', { ...form, id: '071-P-NOBODY00' });
  expect([failed.status, failed.text.includes('This did not work')]).toEqual([404, true]);
  expect((await at.post('/look-up', { ...form, kind: 'card' })).status).toBe(400);
});

test('a receipt is on the page, to copy', async () => {
  const { text } = await at.page('/record?name=INV-1');
  expect(text).toContain('action="/receipt"');
  const shown = wordsOf(await at.post('/receipt', { id: shop.purchase }));
  expect(shown).toContain('Amount 25.00 AUD Outcome Paid.');
});

describe('a proposal', () => {
  const proposed = { amount: '10.00', currency: 'AUD', reference: 'RET-1', note: 'parcel lost' };

  test('is made by a form, and moves no money', async () => {
    const { text } = await at.page('/record?name=INV-1');
    expect(text).toContain('action="/propose"');
    expect(text).toContain('name="amount" value="25.00"');
    expect(wordsOf({ text })).toContain(`gw refund propose ${shop.purchase} --full`);
    const answer = await at.post('/propose', { id: shop.purchase, ...proposed });
    expect(answer.status).toBe(200);
    const [, code = ''] = /gw approve (\S+) -p shop/.exec(wordsOf(answer)) ?? [];
    const open = JSON.parse(await shop.gw('proposals', '-o', 'json'));
    expect(open).toMatchObject([
      { code, amount: 1000, reference: 'RET-1', note: 'parcel lost', proposed_by: 'ada' },
    ]);
    expect(await shop.gw('refund', 'list', '-o', 'id')).toBe('');
    // The button was pressed twice.
    const again = await at.post('/propose', { id: shop.purchase, ...proposed });
    expect([again.status, wordsOf(again).includes(code)]).toEqual([403, true]);
  });

  test('of more than is left is refused, as one of words that are none', async () => {
    const over = await at.post('/propose', { id: shop.purchase, ...proposed, amount: '25.01' });
    expect([over.status, wordsOf(over).includes('This did not work')]).toEqual([403, true]);
    for (const amount of ['', 'ten', '-1', '--full'])
      expect((await at.post('/propose', { id: shop.purchase, ...proposed, amount })).status).toBe(
        400,
      );
  });

  test('is one of twenty within an hour', async () => {
    for (let n = 2; n <= MOST_PROPOSED; n++) {
      const form = { id: shop.purchase, ...proposed, amount: '0.10', reference: `RET-${n}` };
      expect((await at.post('/propose', form)).status).toBe(200);
    }
    const form = { id: shop.purchase, ...proposed, amount: '0.10', reference: 'RET-MORE' };
    const { status, text } = await at.post('/propose', form);
    expect([status, text.includes('proposals of the last hour')]).toEqual([403, true]);
  });

  test('needs the rule of the profile, and the token', async () => {
    const plain = await open('plain');
    const { text } = await plain.page('/');
    expect(text).not.toContain('action="/propose"');
    const refused = await plain.post('/propose', { id: shop.purchase, ...proposed });
    expect([refused.status, refused.text.includes('no such rule')]).toEqual([403, true]);
    await plain.desk.stop();
    const form = { token: '', id: shop.purchase, ...proposed, reference: 'RET-0' };
    const stranger = await at.post('/propose', form);
    expect([stranger.status, stranger.text.includes('action="/enter"')]).toEqual([403, true]);
  });
});

test('an event is sent again to an address of its profile, unless the gateway contradicts it', async () => {
  const taken: string[] = [];
  const receiver = createServer((request, response) => {
    request.on('data', (part) => taken.push(String(part)));
    request.on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', resolve);
  });
  const to = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  const store = openEvents({ files: createFiles({ HOME: home }) });
  const keep = async (state?: 'contradicted') => {
    const { id } = await store.append({
      ...{ receivedAt: '2026-04-01T00:00:00.000Z', profile: 'shop', mode: 'Sandbox', status: 200 },
      ...({ authentication: 'none', event: 'charge:successful', outcome: 'approved' } as const),
      ...{ fault: null, source: 'P-1', identity: `P-${state}`, isLasting: true, isMasked: false },
      ...{ forwardTo: to, headers: [], body: Buffer.from('{"event":"charge:successful"}') },
      verification: state ? { state, reason: 'it is declined' } : null,
    });
    return id;
  };
  const [good, bad] = [await keep(), await keep('contradicted')];
  await store.close();
  const sent = await at.post(`/events/${good}/resend`, { to });
  expect([sent.status, sent.text.includes('Delivered')]).toEqual([200, true]);
  expect(taken.join('')).toContain('charge:successful');
  taken.length = 0;
  const refused = await at.post(`/events/${bad}/resend`, { to });
  expect([refused.status, taken]).toEqual([403, []]);
  receiver.close();
});

const programs = findPostgres();
describe.skipIf(programs === undefined)('a ledger on a server', () => {
  test('has the same pages', async () => {
    const cluster = new Cluster(programs as string);
    onTestFinished(() => cluster.remove());
    const { url } = await cluster.database();
    const own = temporaryDirectory();
    const team = await openShop(own, { GW_LEDGER_URL: url });
    onTestFinished(team.stop);
    const { desk, page, post } = await open('shop', { home: own, shop: team });
    onTestFinished(desk.stop);
    const found = wordsOf(await page('/?q=byron'));
    expect(found).toContain(`25.00 AUD Ada Byron INV-1 ${team.purchase}`);
    const record = await page('/record?name=INV-1');
    expect(wordsOf(record)).toContain('Approved 25.00 AUD');
    const form = { id: team.purchase, amount: '5.00', currency: 'AUD', reference: 'RET-1' };
    const proposed = await post('/propose', form);
    expect([proposed.status, wordsOf(proposed).includes('gw approve')]).toEqual([200, true]);
    for (const target of [
      '/record?name=C-1',
      '/today',
      '/month',
      '/report?of=charges',
      '/events',
    ]) {
      const answer = await page(target);
      expect([target, answer.status, answer.text.includes('role="alert"')]).toEqual([
        target,
        200,
        false,
      ]);
    }
    expect(wordsOf(await page('/today'))).toContain('Taken 25.00 AUD');
  });
});
