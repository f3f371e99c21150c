import { chmodSync, linkSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { profilesFile } from '../../../../src/client/profiles/store.ts';
import { createFiles } from '../../../../src/host/files/files.ts';
import type { EntryState, LedgerEntry } from '../../../../src/journal/ledger.ts';
import { findingOf } from '../../../../src/setup/doctor/finding.ts';
import {
  checkConfiguration,
  checkMachine,
  checkPrivateFiles,
  unresolvedFinding,
} from '../../../../src/setup/doctor/machine.ts';
import { ledgerFile } from '../../../../src/store/ledger/ledger-file.ts';
import { ledgerPath } from '../../../../src/store/paths.ts';
import { Database } from '../../../../src/store/sqlite/database.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const SHOP = { environment: 'sandbox', baseUrl: 'https://gateway.example' };

function check(content: object | string | undefined, hasEnvironment = false) {
  const files = createFiles({ HOME: temporaryDirectory() });
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  if (content !== undefined) files.writePrivate(profilesFile(files), text);
  return findingOf(checkConfiguration(files, hasEnvironment));
}

test('profiles and the default one are said', async () => {
  const { state, message } = await check({ default: 'shop', profiles: { shop: SHOP } });
  expect([state, message]).toEqual(['ok', expect.stringMatching(/^1 profile in .*; shop is the/)]);
});

test('there need not be a default profile', async () => {
  expect(await check({ profiles: { shop: SHOP } })).toMatchObject({ state: 'ok' });
});

test('a default profile that is not there is a warning, with one that is', async () => {
  expect(await check({ default: 'gone', profiles: { shop: SHOP } })).toMatchObject({
    state: 'warning',
    next: 'Choose another, for example with `gw profile use shop`.',
  });
});

test.each(['{', { profiles: { shop: { ...SHOP, maxAmmount: 1 } } }])(
  'a file that cannot be used fails',
  async (content) => {
    expect(await check(content)).toMatchObject({ state: 'failed', kind: 'usage' });
  },
);

describe('privacy', () => {
  test('privacy is mended by what the warning says', () => {
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

  test('what is somebody else’s is a failure', () => {
    const foreign = ['/a', '/b', '/c', '/d'];
    expect(checkPrivateFiles({ findExposed: () => ({ open: ['/e'], foreign }) })).toMatchObject({
      state: 'failed',
      kind: 'guard',
      message: expect.stringContaining('/a, /b, /c and 1 more'),
    });
  });

  test.skipIf(process.getuid?.() !== 0)('what another user owns is seen', async () => {
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
  test('the journal that is not there yet is not made', async () => {
    const { journal, host, file } = await checkJournal(() => undefined);
    expect(journal).toMatchObject({ state: 'ok', message: expect.stringContaining('none yet') });
    expect(host.files.size(file)).toBe(0);
  });

  test('the journal that can be used is said, with nothing unresolved', async () => {
    const { journal } = await checkJournal(begin);
    expect(journal).toMatchObject({ state: 'ok', message: expect.stringContaining('is known') });
  });

  test('the journal of which only the log is left is not called none', async () => {
    const { journal, file } = await checkJournal((at) => writeFileSync(`${at}-wal`, 'log'));
    expect(journal).toMatchObject({
      state: 'failed',
      kind: 'guard',
      next: expect.stringContaining(`${file}-wal`),
    });
  });

  test('the journal with a second name has failed', async () => {
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

  test('the journal of another form has failed', async () => {
    const { journal } = await checkJournal((at) => {
      begin(at);
      const database = new Database(ledgerFile(at));
      database.set('user_version = 999');
      database.close();
    });
    expect(journal).toMatchObject({ state: 'failed', kind: 'guard' });
  });

  test('the journal on a server is not looked at by whoever asks nobody', async () => {
    const { all } = await checkJournal(begin, { GW_LEDGER_URL: 'postgres://ada@127.0.0.1:1/gw' });
    expect(all.map(({ check, state }) => `${check} ${state}`)).toEqual([
      'configuration warning',
      'private-files ok',
      'ledger ok',
    ]);
  });

  test('the journal at an address that is none has failed', async () => {
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
    expect(unresolvedFinding(entries, 'other')).toMatchObject({ state: 'ok' });
  });

  test('requests that are being sent are none of them', () => {
    expect(unresolvedFinding(entries.slice(0, 1), undefined)).toMatchObject({ state: 'ok' });
  });
});
