import { chmodSync, linkSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { profilesFile } from '../../../../src/client/profiles/store.ts';
import { findingOf } from '../../../../src/commands/doctor/finding.ts';
import {
  checkConfiguration,
  checkMachine,
  checkPrivateFiles,
  unresolvedFinding,
} from '../../../../src/commands/doctor/machine.ts';
import { createFiles } from '../../../../src/host/files/files.ts';
import type { EntryState, LedgerEntry } from '../../../../src/journal/ledger.ts';
import { ledgerFile } from '../../../../src/store/ledger/ledger-file.ts';
import { ledgerPath } from '../../../../src/store/paths.ts';
import { Database } from '../../../../src/store/sqlite/database.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const SHOP = { environment: 'sandbox', baseUrl: 'https://gateway.example' };

function check(content: object | string | undefined, isChosen = false) {
  const files = createFiles({ HOME: temporaryDirectory() });
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  if (content !== undefined) files.writePrivate(profilesFile(files), text);
  return findingOf(checkConfiguration(files, isChosen));
}

test('the configuration check counts profiles and names the default', async () => {
  const { state, message } = await check({ default: 'shop', profiles: { shop: SHOP } });
  expect([state, message]).toEqual(['ok', expect.stringMatching(/^1 profile in .*; shop is the/)]);
});

test('the configuration is fine without a default profile', async () => {
  expect(await check({ profiles: { shop: SHOP } })).toMatchObject({ state: 'ok' });
});

test('a missing default profile is a warning that suggests another one', async () => {
  expect(await check({ default: 'gone', profiles: { shop: SHOP } })).toMatchObject({
    state: 'warning',
    next: 'Choose another, for example with `gw profile use shop`.',
  });
});

test('without any profile the check fails, unless one is chosen that needs no file', async () => {
  expect(await check(undefined)).toMatchObject({ state: 'failed', kind: 'auth' });
  expect(await check(undefined, true)).toMatchObject({ state: 'ok' });
});

test.each(['{', { profiles: { shop: { ...SHOP, maxAmmount: 1 } } }])(
  'an invalid profile file fails',
  async (content) => {
    expect(await check(content)).toMatchObject({ state: 'failed', kind: 'usage' });
  },
);

describe('private files', () => {
  test('an open folder is a warning that says how to close it', () => {
    const files = createFiles({ HOME: temporaryDirectory() });
    const folder = files.stateDirectory;
    files.writePrivate(path.join(folder, 'ledger.db'), '');
    expect(checkPrivateFiles(files)).toMatchObject({ state: 'ok' });
    chmodSync(folder, 0o755);
    expect(checkPrivateFiles(files)).toEqual({
      state: 'warning',
      message: `Other users can read or change ${folder}.`,
      next: expect.stringContaining('`gw doctor --repair`'),
    });
    expect(statSync(folder).mode & 0o777).toBe(0o755);
    expect(files.keepPrivate()).toEqual({ tightened: [folder], exposed: [] });
    expect(checkPrivateFiles(files)).toMatchObject({ state: 'ok' });
  });

  test('files of another user are a failure', () => {
    const foreign = ['/a', '/b', '/c', '/d'];
    expect(checkPrivateFiles({ findExposed: () => ({ open: ['/e'], foreign }) })).toMatchObject({
      state: 'failed',
      kind: 'guard',
      message: expect.stringContaining('/a, /b, /c and 1 more'),
    });
  });

  test.skipIf(process.getuid?.() !== 0)('a folder of another user is found', async () => {
    const { chownSync } = await import('node:fs');
    const files = createFiles({ HOME: temporaryDirectory() });
    files.writePrivate(path.join(files.configDirectory, 'profiles.json'), '');
    chownSync(files.configDirectory, 65534, 65534);
    expect(files.findExposed()).toEqual({ open: [], foreign: [files.configDirectory] });
  });
});

/** @returns what is found of a journal that a test has made something of */
async function checkJournal(make: (file: string) => void, env = {}) {
  const host = createTestHost({ env });
  const file = ledgerPath(host.files);
  host.files.writePrivate(path.join(path.dirname(file), 'beside'), '');
  make(file);
  const all = await checkMachine(host, { profile: undefined, isOffline: true }, false);
  return { file, host, all, journal: all.find(({ check }) => check === 'journal') };
}

const begin = (file: string) => new Database(ledgerFile(file)).close();

describe('the journal', () => {
  test('the journal check does not create a journal', async () => {
    const { journal, host, file } = await checkJournal(() => undefined);
    expect(journal).toMatchObject({ state: 'ok', message: expect.stringContaining('none yet') });
    expect(host.files.size(file)).toBe(0);
  });

  test('the journal check reports that no outcome is unknown', async () => {
    const { journal } = await checkJournal(begin);
    expect(journal).toMatchObject({ state: 'ok', message: expect.stringContaining('is known') });
  });

  test('the journal check fails if only the log is left', async () => {
    const { journal, file } = await checkJournal((at) => writeFileSync(`${at}-wal`, 'log'));
    expect(journal).toMatchObject({
      state: 'failed',
      kind: 'guard',
      next: expect.stringContaining(`${file}-wal`),
    });
  });

  test('the journal check fails if the file has a second name', async () => {
    const { journal } = await checkJournal((at) => {
      begin(at);
      linkSync(at, `${at}.other`);
    });
    expect(journal).toMatchObject({
      state: 'failed',
      kind: 'guard',
      message: expect.stringContaining('has a second name'),
    });
  });

  test('the journal check fails for another form of the file', async () => {
    const { journal } = await checkJournal((at) => {
      begin(at);
      const database = new Database(ledgerFile(at));
      database.set('user_version = 999');
      database.close();
    });
    expect(journal).toMatchObject({ state: 'failed', kind: 'guard' });
  });

  test('the journal check does not connect to a server with --offline', async () => {
    const { all } = await checkJournal(begin, { GW_LEDGER_URL: 'postgres://ada@127.0.0.1:1/gw' });
    expect(all.map(({ check, state }) => `${check} ${state}`)).toEqual([
      'configuration failed',
      'private-files ok',
      'ledger ok',
      'time-zone ok',
    ]);
  });

  test('the journal check fails for an invalid address', async () => {
    const { journal } = await checkJournal(begin, { GW_LEDGER_URL: 'mysql://x' });
    expect(journal).toMatchObject({ state: 'failed', kind: 'usage' });
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

  test('requests whose outcome is not known are counted, and the message has the date of the oldest', () => {
    expect(unresolvedFinding(entries, undefined)).toMatchObject({
      state: 'warning',
      message:
        'The outcomes of 3 money requests are unknown. The oldest was sent on 2026-03-01 at 10:00:00 UTC.',
      next: expect.stringContaining('`gw journal resolve`'),
    });
  });

  test('requests whose outcome is not known belong to the named profile', () => {
    expect(unresolvedFinding(entries, 'sandbox').message).toContain('1 money request is');
    expect(unresolvedFinding(entries, 'other')).toMatchObject({
      state: 'ok',
      message: expect.stringContaining('of other is known'),
    });
  });

  test('requests that are being sent are not counted', () => {
    expect(unresolvedFinding(entries.slice(0, 1), undefined)).toMatchObject({ state: 'ok' });
  });
});
