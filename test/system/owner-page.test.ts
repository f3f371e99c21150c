/** The page for the owner in a browser: on paper, on a phone, and in the dark. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type OwnerPage, ownerPage } from '../../src/desk/report/owner-page.ts';
import { run } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const TIMEOUT_MS = 120_000;
const LONG_NAME = 'Wolfeschlegelsteinhausenbergerdorff-Ångström-Nguyễn';
const times = <Item>(count: number, make: (n: number) => Item) =>
  Array.from({ length: count }, (_, n) => make(n));

/** As much as a month of a busy shop has: the longest month, two currencies, full lists, long names. */
const PAGE: OwnerPage = {
  title: 'March 2026',
  merchant: 'Corner Shop',
  profile: 'corner-shop (LIVE)',
  span: '2026-03-01 to 2026-03-31, America/Argentina/ComodRivadavia',
  sums: ['AUD', 'JPY'].map((currency) => ({
    ...{ currency, taken: 123_456_789_012n, refunded: 999_999_99n, net: 123_356_789_013n },
    ...{ netBefore: 98_765_432_109n, payments: 123_456, refunds: 4_321, declines: 12_345 },
  })),
  charts: ['AUD', 'JPY'].map((currency) => ({
    currency,
    by: 'day',
    bars: times(31, (n) => ({
      label: `2026-03-${String(n + 1).padStart(2, '0')}`,
      mark: String(n + 1),
      value: n % 7 === 0 ? -n : 1_000 + n,
      text: `1234567${n % 10}.00 ${currency}`,
    })),
  })),
  declines: times(8, (n) => ({
    ...{ reason: `Declined by the issuer: reason ${n}`, count: 123, share: 0.123 },
    amount: '1234567.00 AUD',
  })),
  subscriptions: times(6, (n) => ({
    ...{
      period: '2026-03',
      from: '',
      until: '',
      timeZone: 'UTC',
      profile: 'shop',
      currency: 'AUD',
    },
    ...{
      plan: n === 0 ? null : `PLAN-OF-A-LONG-REFERENCE-${n}`,
      activeBefore: 1_000,
      new: 12,
      moved: 0,
    },
    ...{ stopped: 3, givenUp: 1, active: 1_009, amount: 1_234_567_89n, churn: 0.003 },
  })),
  attention: [
    'Unknown outcomes',
    'Subscriptions at risk (97)',
    'Charged again within a day (80)',
  ].map((title) => ({
    ...{ title, more: 89, command: 'gw report at-risk' },
    lines: times(8, (n) => `SUB-${n}, ${LONG_NAME}, card expired (ended 2026-02), 123.00 AUD`),
  })),
  notes: ['12 more, of other profiles, accounts or environments, are left out.'],
};

async function chromium(...args: string[]): Promise<string> {
  const profile = `--user-data-dir=${temporaryDirectory()}`;
  const quiet = ['--headless', '--no-sandbox', '--disable-gpu', profile];
  const ended = await run('chromium', [...quiet, ...args], { env: process.env });
  expect(ended.code, ended.stderr).toBe(0);
  return ended.stdout;
}

function written(name: string, text: string): string {
  const file = path.join(temporaryDirectory(), name);
  writeFileSync(file, text);
  return file;
}

describe.skipIf(!havePrograms('chromium', 'pdfinfo', 'pdftotext'))('the page for the owner', () => {
  test.each(['A4', 'letter'])(
    'prints on two pages of %s, with every number',
    async (size) => {
      const page = ownerPage(PAGE).replace('</style>', `@page { size: ${size} }</style>`);
      const file = written('page.html', page);
      const pdf = path.join(path.dirname(file), 'page.pdf');
      await chromium('--no-pdf-header-footer', `--print-to-pdf=${pdf}`, pathToFileURL(file).href);
      const { stdout: about } = await run('pdfinfo', [pdf]);
      expect(about).toContain(`(${size})`);
      const pages = Number(/^Pages:\s+(\d+)$/m.exec(about)?.[1]);
      expect(pages).toBeGreaterThan(0);
      expect(pages).toBeLessThanOrEqual(2);
      const { stdout: text } = await run('pdftotext', ['-layout', pdf, '-']);
      for (const shown of ['1234567890.12', '2026-03-31', 'gw report at-risk', 'left out.'])
        expect(text).toContain(shown);
    },
    TIMEOUT_MS,
  );

  test(
    'fits a phone, is readable in the dark, runs nothing and fetches nothing',
    async () => {
      const file = written('page.html', ownerPage(PAGE));
      const frames = written('frames.html', readFileSync('test/system/owner-page.html', 'utf8'));
      const href = `${pathToFileURL(frames).href}?${pathToFileURL(file).href}`;
      const dom = await chromium('--allow-file-access-from-files', '--dump-dom', href);
      const [, json = ''] = /<pre>(.*?)<\/pre>/s.exec(dom) ?? [];
      const [dark, light] = JSON.parse(json) as Measured[];
      for (const { overflow, scripts, fetched, contrast } of [dark, light] as Measured[]) {
        expect({ scripts, fetched }).toEqual({ scripts: 0, fetched: 0 });
        expect(overflow).toBeLessThanOrEqual(0);
        // WCAG 2.2 asks for 4.5 (success criterion 1.4.3).
        expect(contrast).toBeGreaterThanOrEqual(4.5);
      }
      expect(dark?.brightness).toBeLessThan(0.2);
      expect(light?.brightness).toBeGreaterThan(0.8);
    },
    TIMEOUT_MS,
  );
});

interface Measured {
  /** Pixels by which the page is wider than 320. */
  overflow: number;
  scripts: number;
  fetched: number;
  /** The least of all texts. */
  contrast: number;
  /** Of the background, 0 to 1. */
  brightness: number;
}
