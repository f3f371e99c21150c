/** The desk in a browser: by keyboard, narrow and wide, in the dark, without JavaScript, again and again. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openEvents } from '../../src/events/store/event-file.ts';
import { createFiles } from '../../src/host/files/files.ts';
import {
  axeFinds,
  comeIn,
  haveBrowser,
  openBrowser,
  openWatched,
  type RunningDesk,
  startDesk,
} from '../helpers/browser.ts';
import { gw, startListener } from '../helpers/listener.ts';
import { openShop } from '../helpers/shop.ts';

const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(2)>`;
const RIGHT_TO_LEFT = 'abc\u202edef';

/** A payment: the person, the test card and the amount. */
const SOLD = [
  ['Maria Silva', 'approved', '2500'],
  ['Siobhán Ó Briain', 'approved', '3750'],
  // Its last digits are a response code: Insufficient Funds.
  ['Jürgen Müller', 'by-amount', '5051'],
  ['Ada Byron', 'approved', '6250'],
  ['Oscar Young', 'declined', '7500'],
] as const;

let browser: Browser;
let home: string;
let desk: RunningDesk;

async function made(...args: string[]): Promise<string> {
  const { stdout } = await gw(home, [...args, '--profile', 'local'], { GW_OPERATOR: 'ada' });
  return stdout.trim();
}

/** A customer with a declined card, one whose every field is hostile, and purchases of both. */
async function fill(): Promise<void> {
  const customer = (first: string, last: string, reference: string, email: string) =>
    made(
      ...['customer', 'create', '--test-card', 'approved', '--card-holder', 'Ada Byron'],
      ...['--first-name', first, '--last-name', last, '--reference', reference, '--email', email],
    );
  await customer('Ada', 'Byron', 'C-1', 'ada@example.com');
  await customer(HOSTILE, `${HOSTILE}2`, `${HOSTILE}3`, 'x@example.com');
  const buy = (card: string, reference: string) =>
    made(
      ...['purchase', 'create', '--test-card', card, '--amount', '2500', '--currency', 'AUD'],
      ...['--card-holder', 'Ada Byron', '--reference', reference],
    );
  await buy('approved', 'INV-1');
  await buy('declined', 'INV-2');
  await buy('approved', HOSTILE);
  await made(
    'refund',
    'create',
    'INV-1',
    '--amount',
    '500',
    '--reference',
    HOSTILE,
    '--note',
    HOSTILE,
  );
  for (const [n, [holder, card, amount]] of SOLD.entries())
    await made(
      ...['purchase', 'create', '--test-card', card, '--amount', amount],
      ...['--currency', 'AUD', '--card-holder', holder, '--reference', `INVOICE-${1001 + n}`],
    );
  for (const name of ['C-1', 'INV-1', 'INV-2']) await made('get', name);
  await made('find', 'byron');
}

const PAGES = [
  '/',
  '/?q=byron',
  '/record?name=C-1',
  '/record?name=INV-2',
  '/today',
  '/month',
  '/?q=51',
  '/report',
  '/report?of=charges',
  '/events',
  '/?q=nothing-like-it',
];

const PICTURES = [
  {
    name: 'desk-search',
    target: '/?q=invoice',
    words: ['when', 'outcome', 'amount', 'who', 'what', 'id'],
  },
  {
    name: 'desk-record',
    target: '/record?name=INVOICE-1003',
    words: ['What the decline means', 'say', 'To act, copy a command', 'What happened'],
  },
];

/** @returns the pixels of a picture (PNG, 11.2.1) */
function sizeOf(png: Buffer): { width: number; height: number } {
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

describe.skipIf(!haveBrowser())('the desk', () => {
  beforeAll(async () => {
    home = mkdtempSync(path.join(tmpdir(), 'gw-desk-'));
    await fill();
    browser = await openBrowser();
    desk = await startDesk(home);
  });
  afterAll(async () => {
    await browser?.close();
    await desk?.stop();
    if (home) rmSync(home, { recursive: true, force: true });
  });

  /** @returns a window that has come in to a desk of its own */
  async function inside(options: Parameters<typeof openWatched>[2] = {}) {
    const own = await startDesk(home);
    onTestFinished(own.stop);
    const watched = await openWatched(browser, own.origin, options);
    await comeIn(watched.page, own);
    return { ...watched, own, end: own.stop };
  }

  test('is used by the keyboard alone', async () => {
    const { page, own, odd, end } = await inside();
    // The secret is used, and stands nowhere.
    expect(page.url()).toBe(`${own.origin}/`);
    await page.keyboard.type('byron');
    await page.waitForURL(/\?q=byron$/);
    await page.locator('#results a').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    const focused = page.locator('#results a:focus');
    expect(await focused.count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.locator('h1.heads').waitFor();
    await page.goBack();
    expect(await page.locator('input[name=q]').inputValue()).toBe('byron');
    await page.keyboard.press('Escape');
    await page.keyboard.type('INV-2');
    await page.waitForURL(/\?q=INV-2$/);
    // The only result is opened by Enter.
    await page.locator('#results tbody tr').first().waitFor();
    await expect.poll(() => page.locator('#results tbody tr').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.waitForURL(/record\?name=/);
    expect(await page.textContent('h1')).toContain('DECLINED');
    expect(await page.textContent('main')).toContain('What the decline means');
    expect(odd).toEqual([]);
    await end();
  });

  const LOOKS = [
    ['1280 px', { viewport: { width: 1280, height: 900 } }],
    ['320 px', { viewport: { width: 320, height: 640 } }],
    ['the dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
    ['320 px of the dark', { viewport: { width: 320, height: 640 }, colorScheme: 'dark' }],
    // A browser that zooms by two has half as many pixels for a page.
    ['zoom 200 %', { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 }],
    ['forced colours', { viewport: { width: 1280, height: 900 }, forcedColors: 'active' }],
  ] as const;
  test.each(LOOKS)('fits %s, and axe finds nothing', async (_, look) => {
    const { page, own, odd, end } = await inside(look);
    for (const target of PAGES) {
      await page.goto(own.origin + target);
      const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect([target, wide]).toEqual([target, 0]);
      expect([target, ...(await axeFinds(page))]).toEqual([target]);
    }
    expect(odd).toEqual([]);
    await end();
  });

  test('shows what people wrote, and runs nothing of it', async () => {
    const { page, own, odd, end } = await inside();
    const names = [HOSTILE, `${HOSTILE}3`, RIGHT_TO_LEFT, 'javascript:alert(1)'];
    for (const name of names)
      for (const target of ['/?q=', '/record?name=', '/events?customer=', '/month?of='])
        await page.goto(own.origin + target + encodeURIComponent(name));
    await page.goto(`${own.origin}/record?name=${encodeURIComponent(`${HOSTILE}3`)}`);
    expect(await page.textContent('h1')).toContain(`${HOSTILE} ${HOSTILE}2`);
    expect(await page.locator('main img, main script').count()).toBe(0);
    await page.goto(own.origin);
    await page.locator('input[name=q]').pressSequentially('alert(1)');
    await page.waitForURL(/alert/);
    await page.locator('#results tbody tr').first().waitFor();
    expect(await page.locator('#results img, #results script').count()).toBe(0);
    expect(odd).toEqual([]);
    await end();
  });

  test('works without JavaScript', async () => {
    const own = await startDesk(home);
    const { page } = await openWatched(browser, own.origin, { javaScriptEnabled: false });
    const [address = '', secret = ''] = own.address.split('#');
    await page.goto(address);
    await page.fill('input[name=secret]', secret);
    await page.click('text=Come in');
    await page.fill('input[name=q]', 'INV-1');
    await page.click('form.search button');
    await page.click('#results a >> nth=0');
    expect(await page.textContent('h1')).toContain('25.00 AUD');
    await page.click('text=Look it up at the gateway');
    expect(await page.textContent('main')).toMatch(/seen (?:just now|\d+ min ago)/);
    await page.click('text=Month');
    expect(await page.textContent('main')).toContain('Taken');
    await own.stop();
  });

  test('stays open over a reload and in a second window, and lets nobody else in', async () => {
    const { page, context, own, end } = await inside();
    await page.goto(`${own.origin}/record?name=C-1`);
    await page.reload();
    expect(await page.textContent('h1')).toContain('Ada Byron');
    const second = await context.newPage();
    await second.goto(`${own.origin}/?q=byron`);
    expect(await second.locator('#results tbody tr').count()).toBeGreaterThan(0);
    // The address was used.
    const other = await openWatched(browser, own.origin);
    await other.page.goto(own.address);
    await other.page.locator('text=was used already').waitFor();
    await end();
  });

  test('after a kill, a new run has a new address, also on the same port', async () => {
    const { page, own, end } = await inside();
    await end();
    const { port } = new URL(own.origin);
    const again = await startDesk(home, ['--port', port]);
    await page.goto(`${own.origin}/?q=byron`);
    expect(await page.textContent('h1')).toBe('gw desk');
    await page.goto(again.address);
    await page.locator('nav').waitFor();
    expect(await page.locator('#results tbody tr').count()).toBeGreaterThan(0);
    await again.stop();
  });

  test('Ctrl-C ends it, and leaves no file', async () => {
    const own = await startDesk(home);
    own.child.kill('SIGINT');
    const { code, signal, stderr } = await own.ended;
    expect([code, signal]).toEqual([0, null]);
    expect(stderr).not.toContain('Error');
  });

  test('proposes a refund, shows a receipt, and says the command of the other person', async () => {
    const own = mkdtempSync(path.join(tmpdir(), 'gw-desk-'));
    const shop = await openShop(own);
    const desk = await startDesk(own, ['--profile', 'shop'], shop.env);
    onTestFinished(async () => {
      await desk.stop();
      await shop.stop();
      rmSync(own, { recursive: true, force: true });
    });
    const { page, odd } = await openWatched(browser, desk.origin);
    await comeIn(page, desk);
    await page.goto(`${desk.origin}/record?name=INV-1`);
    expect(await axeFinds(page)).toEqual([]);
    await page.getByLabel('Amount, AUD').fill('10.00');
    await page.getByLabel('Why').fill('parcel lost');
    await page.getByRole('button', { name: 'Propose the refund' }).click();
    await page.locator('h1:has-text("Proposed")').waitFor();
    const command = await page.textContent('#approve');
    expect(command).toMatch(/^gw approve \w{4}-\w{4} -p shop$/);
    expect(await page.textContent('main')).toContain('Nothing was sent.');
    expect(await axeFinds(page)).toEqual([]);
    expect(await shop.gw('refund', 'list', '-o', 'id')).toBe('');
    await page.getByRole('link', { name: 'Back to the payment' }).click();
    await page.getByRole('button', { name: 'Show the receipt' }).click();
    await page.locator('#receipt').waitFor();
    expect(await page.locator('#receipt').textContent()).toContain('Amount     25.00 AUD\n');
    expect(await axeFinds(page)).toEqual([]);
    expect(odd).toEqual([]);
  });

  test('copies a command', async () => {
    const { page, context, own, end } = await inside();
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: own.origin });
    await page.goto(`${own.origin}/record?name=INV-1`);
    await page.click('button:has-text("Copy") >> nth=0');
    await page.locator('#said:has-text("Copied")').waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toMatch(/^gw refund create 071-P-\w+ --full --reference RET-INV-1 -p local$/);
    await end();
  });

  test('shows events as they come', async () => {
    const { page, own, odd, end } = await inside();
    const listener = await startListener(home, ['--profile', 'local']);
    await page.goto(`${own.origin}/events`);
    await page.locator('text=Live: new events').waitFor();
    await gw(home, ['trigger', 'charge:successful', '--to', listener.url.href]);
    await page.locator('tr.fresh').waitFor();
    await page.click('tr.fresh a');
    expect(await page.textContent('main')).toContain('A sample');
    await page.click('summary:has-text("Payload")');
    expect(await page.textContent('pre >> nth=1')).toContain('"001-S-SAMPLE01"');
    expect(odd).toEqual([]);
    await end();
  });

  test('an event that is verified while it is shown says so', async () => {
    const { page, own, odd, end } = await inside();
    const store = openEvents({ files: createFiles({ HOME: home }) });
    onTestFinished(() => store.close());
    await page.goto(`${own.origin}/events`);
    await page.locator('text=Live: new events').waitFor();
    const { id } = await store.append({
      ...{ receivedAt: '2026-04-01T00:00:00.000Z', profile: 'local', mode: 'Sandbox', status: 200 },
      ...({ authentication: 'none', event: 'charge:successful', outcome: 'approved' } as const),
      ...{ fault: null, source: 'P-1', identity: 'P-1', isLasting: true, isMasked: false },
      ...{ forwardTo: null, headers: [], body: Buffer.from('{"event":"charge:successful"}') },
      verification: { state: 'waiting', reason: '' },
    });
    const row = page.locator('tbody tr', { has: page.locator(`a:text-is("${id}")`) });
    await row.filter({ hasText: 'unverified' }).waitFor();
    await store.verify(id, { state: 'contradicted', reason: 'it is declined' });
    await row.filter({ hasText: 'contradicted' }).waitFor();
    expect(await row.count()).toBe(1);
    expect(odd).toEqual([]);
    await end();
  });

  // UPDATE=1 writes the picture. Its bytes differ by the fonts of a machine, so its words are compared.
  test.each(PICTURES)('the picture $name has what the page shows', async (picture) => {
    const { page, own, end } = await inside({ viewport: { width: 1280, height: 720 } });
    await page.goto(own.origin + picture.target);
    const words = await page.locator('h1, h2, th, dt').allTextContents();
    expect(words.map((word) => word.trim())).toEqual(expect.arrayContaining(picture.words));
    const file = path.resolve('docs/pictures', `${picture.name}.png`);
    if (process.env.UPDATE === '1') await page.screenshot({ path: file });
    const { width, height } = sizeOf(readFileSync(file));
    expect([width, height]).toEqual([1280, 720]);
    expect(readFileSync('README.md', 'utf8')).toContain(`(docs/pictures/${picture.name}.png)`);
    await end();
  });

  test('the browser is led by a file of this user, and no argument has the secret', async () => {
    const bin = path.join(home, 'bin');
    mkdirSync(bin);
    const seen = path.join(home, 'opened');
    const opener = path.join(bin, 'xdg-open');
    writeFileSync(
      opener,
      `#!/bin/sh\nprintf '%s' "$*" >"${seen}.part"\nmv "${seen}.part" "${seen}"\n`,
    );
    chmodSync(opener, 0o755);
    const own = await startDesk(home, ['--open', 'byron'], { PATH: `${bin}:${process.env.PATH}` });
    await expect.poll(() => existsSync(seen)).toBe(true);
    const file = readFileSync(seen, 'utf8');
    const [, secret = ''] = own.address.split('#');
    expect(file).not.toContain(secret);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { page } = await openWatched(browser, own.origin);
    await page.goto(`file://${file}`);
    await page.waitForURL(`${own.origin}/?q=byron`);
    await page.locator('#results tbody tr').first().waitFor();
    own.child.kill('SIGINT');
    await own.ended;
    expect(existsSync(file)).toBe(false);
  });
});
