/** Finding, from the words to what is printed and what is said beside it. */

import { expect, test } from 'vitest';
import { listOptions } from '../../../../src/cli/flags/search-flags.ts';
import { runFind } from '../../../../src/desk/find/run-find.ts';
import { Redactor } from '../../../../src/host/redaction/redactor.ts';
import type { DocumentKind } from '../../../../src/index/document.ts';
import { openLedger } from '../../../../src/journal/sqlite/sqlite-ledger.ts';
import { ledgerPath } from '../../../../src/store/paths.ts';
import { createTestHost, type TestHostOptions } from '../../../helpers/cli.ts';
import { REFUND } from '../../../helpers/money-request.ts';
import { recorded, sandboxPurchase } from '../../../helpers/recorded.ts';

type FindFlags = Parameters<typeof listOptions>[0] & { kind?: readonly DocumentKind[] };

const BEFORE = '2026-01-01T00:00:00.000Z';

/** A refund that was left behind, and three purchases of which two were made. */
async function shop(options: TestHostOptions = {}) {
  const host = { ...createTestHost(options), processes: { self: 'me', isGone: () => true } };
  const processes = { self: 'another', isGone: () => undefined };
  const ledger = await openLedger(
    ledgerPath(host.files),
    { now: () => new Date(BEFORE) },
    { processes },
  );
  await recorded(ledger, REFUND);
  for (const reference of ['INV-1', 'INV-2', 'INV-3']) {
    const id = await recorded(ledger, sandboxPurchase(reference));
    const isMade = reference !== 'INV-3';
    await ledger.settle(id, {
      state: isMade ? 'done' : 'rejected',
      status: isMade ? 200 : 400,
      recordId: isMade ? `071-P-${reference}` : null,
      message: 'said',
    });
  }
  await ledger.close();
  const find = async (words: string[], flags: Partial<FindFlags> = {}) => {
    const context = { host, redactor: new Redactor(), root: '.' };
    const all = { limit: '20', output: 'jsonl', 'time-zone': 'UTC', ...flags } as const;
    await runFind(context, words, { ...listOptions(all), kinds: flags.kind });
    return { stdout: host.stdout.text, stderr: host.stderr.text };
  };
  return { find };
}

const lines = (text: string) => text.split('\n').filter(Boolean);

test('a request that was left behind is unknown, and found as such', async () => {
  const { find } = await shop();
  const { stdout } = await find(['r-1'], { outcome: 'unknown', fields: 'outcome,reference' });
  expect(lines(stdout)).toEqual(['{"outcome":"unknown","reference":"R-1"}']);
});

test('and is not found as one that is being sent', async () => {
  const { find } = await shop();
  expect((await find([], { outcome: 'sending' })).stdout).toBe('');
});

test('ids are printed, and what has none is counted', async () => {
  const { find } = await shop();
  const { stdout, stderr } = await find(['inv'], { output: 'id' });
  expect(lines(stdout).toSorted()).toEqual(['071-P-INV-1', '071-P-INV-2']);
  expect(stderr).toContain('1 result does not name a record');
});

test('what is more than the limit is said', async () => {
  const { find } = await shop();
  const { stdout, stderr } = await find(['inv'], { limit: '2', fields: 'reference' });
  expect(lines(stdout)).toHaveLength(2);
  expect(stderr).toContain('There are more results.');
  expect(stderr).toContain('--limit 10');
});

test('nothing is found with what was searched, and no control character', async () => {
  const { find } = await shop();
  const { stdout, stderr } = await find(['nosuch\u001b[2J']);
  expect(stdout).toBe('');
  expect(stderr).toContain('Searched: 2 purchases, 2 requests, the oldest from 2026-01-01.');
  expect(stderr).not.toContain('\u001b');
});

test('a terminal is told what the search covers', async () => {
  const { find } = await shop({ answers: [] });
  expect((await find(['inv-1'])).stderr).toContain('since 2026-01-01');
});

test('a pipe is not', async () => {
  const { find } = await shop();
  expect((await find(['inv-1'])).stderr).toBe('');
});
