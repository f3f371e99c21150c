/** What a machine knows, newest first; and that asking it changes nothing and never fails. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { knownHere } from '../../../../src/cli/completion/known-here.ts';
import { setProfile } from '../../../../src/client/profiles/store.ts';
import { createFiles } from '../../../../src/host/files/files.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const homeFiles = () => createFiles({ HOME: temporaryDirectory() });

test('profiles are those of the file and the one that is built in', async () => {
  const files = homeFiles();
  await setProfile(files, 'shop-2', { environment: 'sandbox', baseUrl: 'https://gw.example.com' });
  const names = (await knownHere(files).profiles()).map(({ value }) => value);
  expect(names).toEqual(expect.arrayContaining(['local', 'shop-2']));
});

test('look-ups that wait in seen.jsonl are known at once, the newest first', async () => {
  const files = homeFiles();
  const snapshot = (id: string) => ({
    ...{ profile: 'local', environment: 'local', host: 'x', kind: 'purchase', id },
    ...{ seenBy: 'get', seenAt: '2026-03-24T00:00:00Z', account: 'a1' },
    ...{ reference: `INV-${id}`, name: 'Ada', lastFour: null, amount: 2500, record: {} },
  });
  files.append(
    path.join(files.stateDirectory, 'seen.jsonl'),
    [snapshot('1'), snapshot('2'), snapshot('2')].map((one) => `\n${JSON.stringify(one)}`).join(''),
  );
  const known = knownHere(files);
  const found = await known.names('purchase', '', undefined);
  expect(found.map(({ value }) => value)).toEqual(['2', '1']);
  expect(found[0]?.meaning).toContain('INV-2');
  const any = (await known.names('any', '', undefined)).map(({ value }) => value);
  expect(any).toEqual(['2', 'INV-2', '1', 'INV-1']);
  expect(files.size(path.join(files.stateDirectory, 'seen.jsonl'))).toBeGreaterThan(0);
});

test('nothing is made, and a damaged file is passed over', async () => {
  const files = homeFiles();
  const known = knownHere(files);
  expect(await known.names('any', 'x', undefined)).toEqual([]);
  expect(existsSync(files.stateDirectory)).toBe(false);
  mkdirSync(files.stateDirectory, { recursive: true });
  writeFileSync(path.join(files.stateDirectory, 'ledger.db'), 'no database');
  mkdirSync(files.configDirectory, { recursive: true });
  writeFileSync(path.join(files.configDirectory, 'profiles.json'), '{');
  expect(await known.names('purchase', '', 'local')).toEqual([]);
  expect(await known.profiles()).toEqual([]);
});
