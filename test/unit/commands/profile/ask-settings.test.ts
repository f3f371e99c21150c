/** `gw profile set` without a setting: a person chooses from all of them; elsewhere they are printed. */
import { describe, expect, test } from 'vitest';
import { profileFlags } from '../../../../src/cli/flags/profile-flags.ts';
import { readProfiles } from '../../../../src/client/profiles/store.ts';
import { CTRL_C, runCommand, type TestHostOptions } from '../../../helpers/cli.ts';

const SHOP = { environment: 'sandbox', baseUrl: 'https://gateway.example/' } as const;
const LIVE = { ...SHOP, environment: 'live', readOnly: true, maxAmount: 500 } as const;

/** @returns what was said, asked and stored */
async function set(argv: string, options: TestHostOptions = {}) {
  const words = ['profile', 'set', ...argv.split(' ').filter((word) => word !== '')];
  const profiles = { shop: SHOP, live: LIVE };
  const result = await runCommand('fast path', words, { profiles, ...options });
  const stored = await readProfiles(result.host.files);
  return { ...result, asked: result.host.asked, stored: stored.profiles };
}

describe('a person at a terminal', () => {
  test('chooses settings one after the other, and sees the command', async () => {
    const answers = [
      'merchant',
      'Corner Shop',
      'currency',
      'xxz',
      ' ',
      'eur',
      'remember',
      'no',
      'nothing',
    ];
    const { asked, stored, stderr } = await set('shop', {
      answers: answers.map((one) => one.trim()),
    });
    expect(asked[0]).toBe('Change what of shop?');
    expect(asked.filter((one) => one === 'Change what else?')).toHaveLength(3);
    expect(asked).toContain('Type a value. The word none removes it');
    expect(stored.get('shop')).toEqual({
      ...SHOP,
      merchantName: 'Corner Shop',
      currency: 'EUR',
      remember: false,
    });
    expect(stderr).toBe(
      `The same without questions:\n  gw profile set shop --merchant-name 'Corner Shop' --currency eur --no-remember\nUpdated profile shop (sandbox).\n`,
    );
  });

  test.each([
    ['base url', 'http://gateway.example', /^It begins with http:/],
    ['base url', 'none', /^It /],
    ['currency', 'bgn', /^.*BGN.*ISO 4217/],
    ['max amount', '0', /from 1 to/],
    ['max amount', '1.5', /max-amount/],
    ['allowed commands', 'purchase gett', /^No request is called/],
    ['keep', 'soon', /keep/],
    ['ledger', 'mysql://x', /^It /],
  ])('is told at once that %s cannot be %s', async (name, value, fault) => {
    const { asked, failure, stored } = await set('shop', { answers: [name, value, CTRL_C] });
    expect(asked.at(-1)).toMatch(fault);
    expect(failure).toMatchObject({ code: 'cancelled', next: 'Nothing was changed.' });
    expect(stored.get('shop')).toEqual(SHOP);
  });

  test.each([
    ['shop', 'environment', 'live', { environment: 'live' }],
    ['shop', 'keep', '2y', { keepDays: 730 }],
    ['shop', 'credential', 'pass show x', { credentialCommand: 'pass show x' }],
    ['shop', 'ledger', 'postgres://ledger.example/gw', { ledger: 'postgres://ledger.example/gw' }],
    ['live', 'max', 'none', { maxAmount: undefined }],
  ])('changes %s: %s to %s', async (name, setting, value, change) => {
    const answers = [setting, value, 'nothing', ...(name === 'live' ? ['live'] : [])];
    const { stored } = await set(name, { answers });
    expect(stored.get(name)).toEqual({ ...(name === 'live' ? LIVE : SHOP), ...change });
  });

  test('confirms what lifts a limit of a live profile', async () => {
    const { failure, stored } = await set('live', { answers: ['read', 'no', 'nothing', CTRL_C] });
    expect(failure).toMatchObject({ code: 'cancelled', next: 'Nothing was changed.' });
    expect(stored.get('live')).toEqual(LIVE);
  });

  test('picks the profile, if none is named; a setting that is typed is not asked for', async () => {
    expect((await set('', { answers: ['shop', 'keep', '1y', 'nothing'] })).asked[0]).toBe(
      'Profile:',
    );
    expect((await set('--keep 1y', { answers: ['shop'] })).asked).toEqual(['Profile:']);
    expect((await set('shop --keep 1y', { answers: [] })).asked).toEqual([]);
  });
});

describe('elsewhere', () => {
  const names = Object.keys(profileFlags).length;

  test.each(['json', 'jsonl', 'csv', 'tsv', 'yaml', 'table', 'id'])(
    'the settings are printed as %s',
    async (format) => {
      const { stdout } = await set(`shop -o ${format}`);
      const all = stdout.match(
        /(?:environment|base_url|merchant_name|currency|read_only|max_amount|max_per_hour|max_per_day|require_note|two_persons_above|allowed_commands|remember|keep_days|credential_command|ledger|ledger_command)(?=["\s:,]|$)/gm,
      );
      expect(new Set(all).size).toBe(names);
      if (format !== 'id') expect(stdout).toContain('https://gateway.example/');
    },
  );

  test('the settings of the profile in use, or of a new one, are printed if none is named', async () => {
    const inUse = await set('', { env: { GW_PROFILE: 'live' } });
    expect(inUse.stderr).toBe('These are the settings of live.\n');
    expect(inUse.stdout).toContain('max_amount\t500\t--max-amount <integer>\n');
    const none = await set('', { profiles: {} });
    expect(none.stderr).toBe('These are the settings of a new profile, because none is in use.\n');
    expect(none.stdout).toContain('environment\t\t--environment <live|sandbox>\n');
  });

  test.each(['nosuch', '--keep 1y', 'nosuch --keep 1y', 'local --keep 1y'])(
    'a wrong or missing name is refused: %s',
    async (argv) => {
      const { failure, stdout } = await set(argv);
      expect(failure?.kind).toBe('usage');
      expect(stdout).toBe('');
    },
  );

  test('a change prints the list only in a format that was named', async () => {
    expect((await set('shop --keep 1y')).stdout).toBe('');
    expect((await set('shop --keep 1y -o jsonl')).stdout).toContain(
      '{"name":"keep_days","value":365,',
    );
  });
});
