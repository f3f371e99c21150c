/** Completions at every place of a command line. */
import { expect, test } from 'vitest';
import { completionLines } from '../../../../src/cli/completion/complete.ts';
import type { ProfileFiles } from '../../../../src/client/profiles/store.ts';
import type { Host } from '../../../../src/host/host.ts';
import { helpSource } from '../../../helpers/help.ts';

const source = await helpSource();
const profiles = { 'shop-2': { environment: 'sandbox', baseUrl: 'https://shop.example/' } };
const profileFiles: ProfileFiles = {
  configDirectory: '/config',
  read: () => JSON.stringify({ profiles }),
  writePrivate: () => expect.unreachable('completion writes nothing'),
};

// It reads the profiles alone: these lines name nothing of a ledger.
const host = { env: {}, files: profileFiles as Host['files'] };

/** @param line after `gw`; the word at the cursor is what follows its last space */
async function at(line: string, source_ = source) {
  const words = line.split(' ');
  const current = words.pop() ?? '';
  const text = await completionLines(host, [current, ...words], source_);
  return [...text.matchAll(/^[^\t\n]+/gm)].map(([value]) => value);
}

test.each([
  ['purch', ['purchase']],
  ['purchase ', ['batch', 'create', 'get', 'list', 'propose']],
  ['emulator hooks l', ['list', 'log']],
  ['tokenize b', ['batch']],
  ['help mon', ['money']],
  ['help purchase cr', ['create']],
  ['hel', ['help']],
  ['--v', ['--version']],
  ['nothing ', []],
  ['-p ', ['shop-2', 'local']],
  ['-p sh', ['shop-2']],
  ['-p local plan li', ['list']],
  ['--profile=local plan li', ['list']],
  ['-p local plan list --al', ['--all']],
  ['purchase create --curren', ['--currency']],
  ['purchase create --confirm ', ['shop-2', 'local']],
  ['purchase create --card-token ', []],
  ['purchase create --test-card by-amount-m', ['by-amount-mastercard', 'by-amount-mastercard-2']],
  ['purchase create --amount ', []],
  ['purchase create --input ', [':files']],
  ['purchase create --input=', [':files']],
  ['purchase create --amount 1 --amou', []],
  ['purchase create -p local --prof', []],
  ['purchase create --reference --output --outp', ['--output']],
  ['plan list --output=js', ['--output=json', '--output=jsonl']],
  ['plan list --page 2 --al', []],
  ['subscription update X --no-is', ['--no-is-active']],
  ['subscription create --frequency Fort', ['Fortnightly']],
  ['purchase batch ', [':files']],
  ['purchase get --he', ['--header', '--help']],
  ['purchase get ', []],
  ['profile use s', ['shop-2']],
  ['login ', ['shop-2', 'local']],
  ['completion ', ['bash', 'zsh', 'fish', 'powershell']],
  ['report forecast w', ['week']],
  ['trigger card:', ['card:expiring', 'card:expired']],
])('gw %s is completed with %j', async (line, values) => {
  expect(await at(line)).toEqual(values);
});

test('a description follows the value after a tab', async () => {
  expect(await completionLines(host, ['purch'], source)).toBe(
    'purchase\tCharge cards, and look up purchases\n',
  );
});

test('completion prints nothing if anything goes wrong', async () => {
  const broken = { ...source, command: () => expect.unreachable('there is no such file') };
  expect(await at('purchase create --cur', broken)).toEqual([]);
});
