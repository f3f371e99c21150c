/**
 * Pages of others in the same browser, which has come in to the desk: of another site, of another port of this address
 * (the same site, so the cookie goes along), and by a name that leads here. None learns or changes anything.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  comeIn,
  haveBrowser,
  openBrowser,
  type RunningDesk,
  startDesk,
} from '../helpers/browser.ts';
import { send } from '../helpers/desk.ts';
import { gw } from '../helpers/listener.ts';

/** The attempts of a page of somebody else; each resolves to what it learnt. */
const TRIES = {
  fetch: `fetch(DESK + '/?q=byron', { credentials: 'include' }).then((r) => r.text())`,
  'fetch of a part': `fetch(DESK + '/?q=byron', { credentials: 'include', headers: { 'x-gw-part': 'results' } }).then((r) => r.text())`,
  'opaque fetch': `fetch(DESK + '/?q=byron', { credentials: 'include', mode: 'no-cors' }).then((r) => r.type === 'opaque' ? Promise.reject('opaque') : r.text())`,
  post: `fetch(DESK + '/look-up', { method: 'POST', credentials: 'include', mode: 'no-cors', body: new URLSearchParams({ kind: 'purchase', id: '071-P-1' }) }).then((r) => r.type === 'opaque' ? Promise.reject('opaque') : r.text())`,
  proposal: `fetch(DESK + '/propose', { method: 'POST', credentials: 'include', mode: 'no-cors', body: new URLSearchParams({ id: '071-P-1', amount: '1.00', reference: 'R-1' }) }).then((r) => r.type === 'opaque' ? Promise.reject('opaque') : r.text())`,
  image: `new Promise((resolve, reject) => { const i = new Image(); i.onload = () => resolve('loaded'); i.onerror = () => reject('no image'); i.src = DESK + '/?q=byron'; })`,
  script: `new Promise((resolve, reject) => { const s = document.createElement('script'); s.onload = () => resolve('loaded'); s.onerror = () => reject('no script'); s.src = DESK + '/?q=byron'; document.body.append(s); })`,
  style: `new Promise((resolve, reject) => { const s = document.createElement('link'); s.rel = 'stylesheet'; s.onload = () => resolve('loaded'); s.onerror = () => reject('no style'); s.href = DESK + '/?q=byron'; document.head.append(s); })`,
  frame: `new Promise((resolve, reject) => { const f = document.createElement('iframe'); f.onload = () => reject('what is in it is looked at below'); f.src = DESK + '/?q=byron'; document.body.append(f); })`,
  events: `new Promise((resolve, reject) => { const e = new EventSource(DESK + '/events/stream?after=0', { withCredentials: true }); e.onopen = () => resolve('open'); e.onerror = () => reject('no events'); })`,
  WebSocket: `new Promise((resolve, reject) => { const s = new WebSocket(DESK.replace('http', 'ws') + '/events/stream'); s.onopen = () => resolve('open'); s.onerror = () => reject('no socket'); })`,
} as const;

describe.skipIf(!haveBrowser())('a page of somebody else', () => {
  let browser: Browser;
  let home: string;
  let evil: Server;
  let evilPort: number;
  let desk: RunningDesk;
  let context: BrowserContext;
  let page: Page;
  /** Statuses by which the desk answered what came from elsewhere. */
  let answers: number[];

  beforeAll(async () => {
    home = mkdtempSync(path.join(tmpdir(), 'gw-desk-'));
    await gw(home, [
      ...['customer', 'create', '--profile', 'local', '--test-card', 'approved'],
      ...['--card-holder', 'Ada Byron', '--first-name', 'Ada', '--last-name', 'Byron'],
      ...['--email', 'ada@example.com', '--reference', 'C-1'],
    ]);
    browser = await openBrowser('--host-resolver-rules=MAP evil.example 127.0.0.1');
    evil = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><body>Win!');
    });
    await new Promise<void>((resolve) => {
      evil.listen(0, '127.0.0.1', resolve);
    });
    evilPort = (evil.address() as AddressInfo).port;
    desk = await startDesk(home);
    context = await browser.newContext();
    await comeIn(await context.newPage(), desk);
    context.on('response', (response) => {
      if (response.url().startsWith(desk.origin)) answers.push(response.status());
    });
  });
  afterAll(async () => {
    await browser?.close();
    await desk?.stop();
    evil?.close();
    if (home) rmSync(home, { recursive: true, force: true });
  });

  beforeEach(async () => {
    page = await context.newPage();
    answers = [];
  });
  afterEach(() => page?.close());

  const ORIGINS = [
    ['of another site', () => `http://evil.example:${evilPort}`],
    ['of localhost', () => `http://localhost:${evilPort}`],
    ['of another port', () => `http://127.0.0.1:${evilPort}`],
  ] as const;

  describe.each(ORIGINS)('%s', (_, origin) => {
    test.each(Object.entries(TRIES))('learns nothing by %s', async (_name, attempt) => {
      await page.goto(origin());
      const code = `(async () => { const DESK = ${JSON.stringify(desk.origin)}; try { return { learnt: String(await ${attempt}) }; } catch (error) { return { failed: String(error) }; } })()`;
      const result = await page.evaluate(code);
      expect(result).not.toHaveProperty('learnt');
      for (const frame of page.frames()) expect(await frame.content()).not.toContain('Byron');
      // A browser may have kept the request back; what arrived was refused.
      expect(answers.every((status) => status === 403 || status === 421)).toBe(true);
    });

    test.each(['/look-up', '/receipt', '/propose', '/events/1/resend'])(
      'changes nothing by a form for %s',
      async (target) => {
        await page.goto(origin());
        await page.evaluate(`{
        const form = document.createElement('form');
        form.method = 'post';
        form.action = ${JSON.stringify(desk.origin + target)};
        document.body.append(form);
        form.submit();
      }`);
        await page.waitForURL(`${desk.origin}${target}`);
        expect(await page.textContent('body')).toContain('Refused: a request from a page of');
      },
    );

    test('gets the entrance by a link, and nobody is named there', async () => {
      await page.goto(origin());
      await page.evaluate(`location.assign(${JSON.stringify(desk.origin)} + '/?q=byron')`);
      await page.waitForURL(/q=byron/);
      const text = await page.textContent('body');
      expect(text).toContain('Go on to the page');
      expect(text).not.toContain('ada@example.com');
      // The person goes on from there, as the page is the desk's own.
      await page.click('text=Go on to the page');
      await page.locator('#results tbody tr').first().waitFor();
    });

    test('reads nothing of a window that it opens', async () => {
      await page.goto(origin());
      const [opened, learnt] = await Promise.all([
        context.waitForEvent('page'),
        page.evaluate(`(async () => {
          const other = open(${JSON.stringify(desk.origin)} + '/?q=byron');
          await new Promise((resolve) => setTimeout(resolve, 0));
          try { return other.document.body.textContent; } catch { return 'closed'; }
        })()`),
      ]);
      expect(String(learnt)).not.toContain('Byron');
      await opened.waitForLoadState();
      expect(await opened.evaluate('window.opener === null')).toBe(true);
    });
  });

  test('a name that leads here (rebinding) gets nothing', async () => {
    const { port } = new URL(desk.origin);
    const answer = await page.goto(`http://evil.example:${port}/?q=byron`);
    expect(answer?.status()).toBe(421);
    expect(await page.textContent('body')).not.toContain('Byron');
    for (const host of ['localhost', 'evil.example', '[::1]', '127.0.0.1.']) {
      const asked = { headers: { host: `${host}:${port}` } };
      expect((await send(Number(port), '/events/stream', asked)).status).toBe(421);
    }
  });

  test('another program of this machine gets the entrance', async () => {
    const { port } = new URL(desk.origin);
    for (const target of ['/', '/?q=byron', '/events', '/events/stream', '/record?name=C-1']) {
      const { status, text } = await send(Number(port), target);
      expect([status, text.includes('Byron')]).toEqual([403, false]);
    }
  });
});
