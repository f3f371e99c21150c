import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EntryState, LedgerEntry } from '../../../../src/journal/ledger.ts';
import {
  checkLedger,
  checkUnresolved,
  unresolvedFinding,
} from '../../../../src/setup/doctor/journal.ts';
import { ledgerFile } from '../../../../src/store/ledger/ledger-file.ts';
import { Database } from '../../../../src/store/sqlite/database.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const file = () => path.join(temporaryDirectory(), 'ledger.db');
const begin = (at: string) => new Database(ledgerFile(at)).close();

describe('the journal', () => {
  test('the journal that is not there yet is not made', () => {
    const at = file();
    expect(checkLedger(at, 0)).toMatchObject({ state: 'ok' });
    expect(() => truncateSync(at, 0)).toThrow('ENOENT');
  });

  test('the journal that is whole is said with its size', () => {
    const at = file();
    begin(at);
    const finding = checkLedger(at, 1);
    expect(finding).toEqual({
      state: 'ok',
      message: expect.stringMatching(/ledger\.db, \d+ KiB, intact \(format \d+\)$/),
    });
  });

  test('the journal that is no database at all is to be put aside', () => {
    const at = file();
    writeFileSync(at, 'no database '.repeat(1_000));
    expect(checkLedger(at, 1)).toMatchObject({
      state: 'failed',
      kind: 'guard',
      next: expect.stringContaining(`&& mv ${at}* ${path.dirname(at)}/damaged\``),
    });
  });

  test('the journal with a page that is not what it was is damaged', () => {
    const at = file();
    const database = new Database(ledgerFile(at));
    database.write((queries) => {
      for (let event = 0; event < 3_000; event++)
        queries.insert('event_sources', { source: `s${event}`, event, identity: 'x'.repeat(50) });
    });
    database.set('wal_checkpoint(TRUNCATE)');
    database.close();
    const bytes = readFileSync(at);
    writeFileSync(at, bytes.fill(0xff, bytes.length - 32 * 1024, bytes.length - 8 * 1024));
    expect(checkLedger(at, 1)).toMatchObject({
      state: 'failed',
      kind: 'guard',
      message: expect.stringMatching(/damaged/),
    });
  });

  test('the journal of which only the log is left is not called none', () => {
    const at = file();
    writeFileSync(`${at}-wal`, 'log');
    expect(checkLedger(at, 3)).toMatchObject({
      state: 'failed',
      next: expect.stringContaining(`${at}-wal`),
    });
  });

  test('the journal of a newer gw needs that gw', () => {
    const at = file();
    begin(at);
    const database = new Database(ledgerFile(at));
    database.set('user_version = 999');
    database.close();
    expect(checkLedger(at, 1)).toMatchObject({
      state: 'failed',
      kind: 'guard',
      message: expect.stringContaining('written by a newer gw'),
      next: expect.stringContaining('`type -a gw`'),
    });
  });
});

const entry = (profile: string, state: EntryState, createdAt: string) =>
  ({ profile, state, createdAt }) as LedgerEntry;

describe('requests whose outcome is not known', () => {
  const entries = [
    entry('live', 'sending', '2026-03-04T00:00:00.000Z'),
    entry('live', 'unknown', '2026-03-03T10:00:00.000Z'),
    entry('sandbox', 'unknown', '2026-03-02T00:00:00.000Z'),
    entry('live', 'unknown', '2026-03-01T10:00:00.000Z'),
  ];

  test('requests whose outcome is not known are counted, with the oldest', () => {
    expect(unresolvedFinding(entries, undefined)).toMatchObject({
      state: 'warning',
      message:
        'The outcomes of 3 money requests are unknown. The oldest was sent on 2026-03-01 at 10:00:00 UTC.',
      next: expect.stringContaining('`gw journal resolve`'),
    });
  });

  test('requests whose outcome is not known are those of the profile that is named', () => {
    expect(unresolvedFinding(entries, 'sandbox').message).toContain('1 money request is');
    expect(unresolvedFinding(entries, 'other')).toEqual({ state: 'ok', message: 'none' });
  });

  test('requests that are being sent are none of them', () => {
    expect(unresolvedFinding(entries.slice(0, 1), undefined)).toMatchObject({ state: 'ok' });
  });
});

describe('what is in the journal', () => {
  test('what is in a journal that is not there makes none', async () => {
    const host = createTestHost();
    const { files } = host;
    expect(await checkUnresolved(host, undefined)).toEqual({ state: 'ok', message: 'none' });
    expect(files.size(path.join(files.stateDirectory, 'ledger.db'))).toBe(0);
  });

  test('nothing in a new journal waits', async () => {
    const host = createTestHost();
    begin(path.join(host.files.stateDirectory, 'ledger.db'));
    expect(await checkUnresolved(host, undefined)).toEqual({ state: 'ok', message: 'none' });
  });
});
