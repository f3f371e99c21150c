/** Debian's chromium, and the desk of the built program as it stands in it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { PROGRAM } from './program.ts';
import { type Running, start } from './run.ts';
import { havePrograms } from './skip.ts';

/** @returns whether there is a browser; a group of tests is skipped without one */
export const haveBrowser = () => havePrograms('chromium');

/** Starts the browser. A sandbox needs another user than root. */
export function openBrowser(...args: string[]): Promise<Browser> {
  const executablePath = '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: ['--no-sandbox', ...args] });
}

export interface RunningDesk extends Running {
  /** Has the secret in its fragment. */
  address: string;
  /** `http://127.0.0.1:4244` */
  origin: string;
  stop(): Promise<void>;
}

/** Starts `gw desk` on a free port, unless another is given. Resolves when it prints its address. */
export async function startDesk(
  home: string,
  args: readonly string[] = [],
  more: Record<string, string> = {},
): Promise<RunningDesk> {
  const port = args.includes('--port') ? [] : ['--port', '0'];
  const opens = args.includes('--open') ? [] : ['--no-open'];
  const words = args.filter((word) => word !== '--open');
  const profile = args.includes('--profile') ? [] : ['--profile', 'local'];
  const all = [PROGRAM, 'desk', ...profile, ...opens, ...port, ...words];
  const env = { PATH: process.env.PATH, HOME: home, TZ: 'UTC', ...more };
  const running = start(process.execPath, all, { env });
  const pattern = /^(http:\/\/127\.0\.0\.1:\d+\/\S*#\S+)$/m;
  await running.printed(pattern);
  const [, address = ''] = pattern.exec(running.output()) ?? [];
  const stop = async () => {
    running.child.kill('SIGKILL');
    await running.ended;
  };
  return { ...running, address, origin: new URL(address).origin, stop };
}

/** A window of its own, which notes what nothing on a page may do. */
export interface Watched {
  page: Page;
  context: BrowserContext;
  /** Dialogs, errors, and requests to anywhere else. */
  odd: string[];
}

export async function openWatched(
  browser: Browser,
  origin: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Watched> {
  const context = await browser.newContext(options);
  const odd: string[] = [];
  context.on('dialog', (dialog) => {
    odd.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`)) odd.push(`request ${url}`);
  });
  context.on('weberror', (error) => odd.push(`error ${error.error().message}`));
  onTestFinished(() => context.close());
  return { page: await context.newPage(), context, odd };
}

/** Opens the address that gw printed. Resolves on the page behind the entrance. */
export async function comeIn(page: Page, { address }: Pick<RunningDesk, 'address'>): Promise<void> {
  await page.goto(address);
  await page.locator('nav').waitFor();
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** @returns what axe finds on a page, a line for each */
export async function axeFinds(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}
