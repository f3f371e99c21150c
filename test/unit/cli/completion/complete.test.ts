/** What may stand at the cursor, in every place of a command line. */
import { describe, expect, test } from 'vitest';
import { complete } from '../../../../src/cli/completion/complete.ts';
import type { CompletionSources, NameKind } from '../../../../src/cli/completion/sources.ts';
import { helpSource } from '../../../helpers/help.ts';

const source = await helpSource();
const known: CompletionSources = {
  profiles: async () => [
    { value: 'local', meaning: '' },
    { value: 'shop-2', meaning: '' },
  ],
  names: async (kind: NameKind, _prefix, profile) =>
    [`${kind}-1`, `${kind}-2`].map((value) => ({ value, meaning: profile ?? '' })),
  batches: async () => [{ value: 'june', meaning: '' }],
  hooks: async () => [{ value: '1', meaning: 'https://shop.example/' }],
};

/** @param line after `gw`; the word at the cursor is what follows its last space */
async function at(line: string) {
  const words = line.split(' ');
  const current = words.pop() ?? '';
  const found = await complete(words, current, { source, known });
  return found.kind === 'files' ? 'files' : found.candidates.map(({ value }) => value);
}

test.each([
  ['purch', ['purchase']],
  ['purchase ', ['batch', 'create', 'get', 'list']],
  ['emulator hooks l', ['list', 'log']],
  ['help mon', ['money']],
  ['help purchase cr', ['create']],
  ['vers', ['version']],
  ['--v', ['--version']],
  ['nothing ', []],
  ['-p ', ['local', 'shop-2']],
  ['-p sh', ['shop-2']],
  ['-p local plan li', ['list']],
  ['--profile=local plan li', ['list']],
  ['purchase create --curren', ['--currency']],
  ['purchase create --currency AU', ['AUD']],
  ['purchase create --currency=AU', ['--currency=AUD']],
  ['purchase create --confirm ', ['local', 'shop-2']],
  ['purchase create --card-token ', ['card-1', 'card-2']],
  ['purchase create --test-card by-amount-m', ['by-amount-mastercard', 'by-amount-mastercard-2']],
  ['purchase create --amount ', []],
  ['purchase create --input ', 'files'],
  ['purchase create --input=', 'files'],
  ['purchase create --amount 1 --amou', []],
  ['purchase create -p local --prof', []],
  ['plan list --page 2 --al', []],
  ['subscription update X --no-is', ['--no-is-active']],
  ['purchase get ', ['purchase-1', 'purchase-2']],
  ['purchase get purchase-1 ', ['purchase-1', 'purchase-2']],
  ['purchase get -o json ', ['purchase-1', 'purchase-2']],
  ['purchase get -- ', ['purchase-1', 'purchase-2']],
  ['plan get x y', []],
  ['get any-', ['any-1', 'any-2']],
  ['journal show ', ['request-1', 'request-2']],
  ['events resend ', ['event-1', 'event-2']],
  ['profile use sh', ['shop-2']],
  ['login ', ['local', 'shop-2']],
  ['trigger card:', ['card:expiring', 'card:expired']],
  ['completion f', ['fish']],
  ['refund batch ', 'files'],
  ['purchase get X --fields amo', ['amount']],
  ['purchase get X --fields=id,amo', ['--fields=id,amount']],
  ['purchase get X --fields id,decimal_amount,amo', ['id,decimal_amount,amount']],
  ['purchase list --fields id,i', []],
  ['journal list --fields resolved', ['resolved_by']],
  ['find x --fields last_', ['last_four']],
  [
    'profile set shop-2 --allowed-commands plan',
    ['plan create', 'plan list', 'plan get', 'plan update'],
  ],
  ['profile set shop-2 --allowed-commands refund_get,n', ['refund_get,none']],
  [
    'emulator hooks add URL --events charge:failed,card:expi',
    ['charge:failed,card:expiring', 'charge:failed,card:expired'],
  ],
  ['listen --until card:expi', ['card:expiring', 'card:expired']],
  ['emulator hooks remove ', ['1']],
  ['emulator hooks log --hook ', ['1']],
  ['batch show ', ['june']],
  ['refund batch refunds.csv --batch ', ['june']],
  ['journal list --until ', []],
])('gw %s| may go on with %j', async (line, expected) => {
  expect(await at(line)).toEqual(expected);
});

describe('flags', () => {
  test('flags are offered in the order of the help, the rare ones last', async () => {
    const flags = (await at('purchase create ')) as string[];
    expect(flags[0]).toBe('--amount');
    expect(flags.indexOf('--no-journal')).toBeGreaterThan(flags.indexOf('--profile'));
    expect(flags.at(-1)).toBe('--help');
  });

  test('names are those of the profile that was named', async () => {
    const { candidates } = (await complete(['purchase', 'get', '-p', 'shop-2'], '', {
      source,
      known,
    })) as { candidates: { meaning: string }[] };
    expect(candidates[0]?.meaning).toBe('shop-2');
  });
});
