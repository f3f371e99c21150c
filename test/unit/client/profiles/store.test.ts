import { describe, expect, test } from 'vitest';
import type { Profile } from '../../../../src/client/profiles/profile.ts';
import {
  liftedGuards,
  missingProfiles,
  type ProfileChanges,
  readProfiles,
  setProfile,
  showProfile,
  useProfile,
} from '../../../../src/client/profiles/store.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { temporaryFiles, writeProfilesText } from './support.ts';

const baseUrl = 'https://gateway.example.com';
const sandbox = { environment: 'sandbox', baseUrl } as const;

describe('profiles.json', () => {
  test('profiles.json may have every setting of a profile', async () => {
    const files = temporaryFiles();
    writeProfilesText(
      files,
      `\uFEFF{ "default": "sandbox", "profiles": {
        "live": { "environment": "live", "baseUrl": "https://gateway.example.com/", "currency": "AUD",
          "readOnly": true, "maxAmount": 100000, "allowedCommands": ["purchase get"],
          "credentialCommand": "op read x" },
        "sandbox": { "environment": "sandbox", "baseUrl": "http://localhost:4010" } } }`,
    );
    expect(await showProfile(files, 'live')).toEqual({
      name: 'live',
      environment: 'live',
      baseUrl: new URL('https://gateway.example.com/'),
      currency: 'AUD',
      readOnly: true,
      maxAmount: 100000,
      allowedCommands: ['purchase get'],
      credentialCommand: 'op read x',
    });
    expect((await showProfile(files, 'sandbox')).baseUrl.href).toBe('http://localhost:4010/');
  });

  test('profiles.json that is not JSON is refused with the place', async () => {
    const files = temporaryFiles();
    const file = writeProfilesText(files, '{\n  "profiles": {},\n}\n');
    expect(await failureOf(() => readProfiles(files))).toMatchObject({
      kind: 'usage',
      message: `${file} is not valid JSON: a field name in double quotes is missing at line 3, column 1.`,
    });
  });

  const live = { environment: 'live', baseUrl };
  test.each<[unknown, string]>([
    [[], 'it must be an object'],
    [{}, 'profiles must be an object'],
    [{ profiles: [] }, 'profiles must be an object'],
    [{ profiles: {}, defaults: 'live' }, 'it has fields that gw does not know: defaults'],
    [{ profiles: {}, default: 1 }, 'default must be the name of a profile'],
    [{ profiles: { live: 'x' } }, 'profiles.live must be an object'],
    [
      { profiles: { live: { ...live, readonly: true } } },
      'profiles.live has fields that gw does not know: readonly',
    ],
    [
      { profiles: { live: { ...live, readOnly: 'yes' } } },
      'profiles.live.readOnly must be true or false',
    ],
    [
      { profiles: { live: { ...live, maxAmount: 0 } } },
      'profiles.live.maxAmount must be above zero',
    ],
    [
      { profiles: { live: { ...live, maxAmount: 1.5 } } },
      'profiles.live.maxAmount must be a whole number',
    ],
    [
      { profiles: { live: { ...live, currency: 'aud' } } },
      'profiles.live.currency must be an ISO 4217 currency code',
    ],
    [
      { profiles: { live: { ...live, allowedCommands: 'get' } } },
      'profiles.live.allowedCommands must be a list',
    ],
    [
      { profiles: { live: { ...live, allowedCommands: [''] } } },
      'profiles.live.allowedCommands.0 must be the name',
    ],
    [
      { profiles: { live: { ...live, credentialCommand: 'a\nb' } } },
      'profiles.live.credentialCommand must be a command',
    ],
    [
      { profiles: { live: { ...live, ledger: 'postgres://ada:hunter22@ledger.example/gw' } } },
      'profiles.live.ledger contains a password, which belongs in the keychain.',
    ],
    [
      { profiles: { live: { ...live, ledger: 'ledger.example' } } },
      'profiles.live.ledger does not begin with postgres://',
    ],
    [
      { profiles: { live: { ...live, ledgerCommand: '' } } },
      'profiles.live.ledgerCommand must be a command',
    ],
    [
      { profiles: { live: { ...live, baseUrl: 'http://example.com' } } },
      'profiles.live.baseUrl begins with http://',
    ],
    [
      { profiles: { live: { ...live, environment: 'test' } } },
      'profiles.live.environment must be live or sandbox',
    ],
    [
      { profiles: { live: { ...live, environment: 'sandbox' } } },
      'profiles.live.environment must be live, to match',
    ],
    [{ profiles: { sandbox: live } }, 'profiles.sandbox.environment must be sandbox, to match'],
    [{ profiles: { Live: live } }, 'profiles.Live is not a valid profile name'],
    [{ profiles: { local: live } }, 'profiles.local is a name that gw reserves'],
    [{ profiles: { environment: live } }, 'profiles.environment is a name that gw reserves'],
  ])('profiles.json with %j is refused', async (content, fault) => {
    const files = temporaryFiles();
    const file = writeProfilesText(files, JSON.stringify(content));
    const failure = await failureOf(() => readProfiles(files));
    expect(failure.kind).toBe('usage');
    expect(failure.message).toContain(`${file} cannot be used: `);
    expect(failure.message).toContain(fault);
  });
});

describe('set', () => {
  test('setProfile reports that the stored credentials belong to another gateway', async () => {
    const files = temporaryFiles();
    await setProfile(files, 'shop', sandbox);
    expect((await setProfile(files, 'shop', { baseUrl: `${baseUrl}/` })).isMoved).toBe(false);
    expect((await setProfile(files, 'shop', { baseUrl: `${baseUrl}/v2` })).isMoved).toBe(true);
    expect((await setProfile(files, 'shop', { environment: 'live' })).isMoved).toBe(true);
  });

  test('setProfile makes a sandbox profile the default only if it is the first', async () => {
    const files = temporaryFiles();
    expect((await setProfile(files, 'sandbox', { baseUrl })).isDefault).toBe(true);
    expect((await setProfile(files, 'shop', sandbox)).isDefault).toBe(false);
    expect((await readProfiles(files)).default).toBe('sandbox');

    const others = temporaryFiles();
    expect((await setProfile(others, 'live', { baseUrl })).isDefault).toBe(false);
    expect((await setProfile(others, 'sandbox', { baseUrl })).isDefault).toBe(false);
    expect((await readProfiles(others)).default).toBeUndefined();
  });

  test.each(['local', 'environment', '', 'Live', '-x', 'a b', '../x', 'x'.repeat(65), '__proto__'])(
    'setProfile refuses the name %j',
    async (name) => {
      const failure = await failureOf(() => setProfile(temporaryFiles(), name, sandbox));
      expect(failure.kind).toBe('usage');
    },
  );

  test('setProfile accepts names like constructor', async () => {
    const files = temporaryFiles();
    await setProfile(files, 'constructor', sandbox);
    expect((await showProfile(files, 'constructor')).name).toBe('constructor');
    expect((await readProfiles(files)).profiles.size).toBe(1);
  });
});

describe('use, list, show and remove', () => {
  test('use replaces the default, even one that no longer exists', async () => {
    const files = temporaryFiles();
    await setProfile(files, 'sandbox', { baseUrl });
    await setProfile(files, 'live', { baseUrl });
    expect((await useProfile(files, 'live')).name).toBe('live');
    expect((await readProfiles(files)).default).toBe('live');

    writeProfilesText(files, JSON.stringify({ default: 'gone', profiles: { shop: sandbox } }));
    await useProfile(files, 'shop');
    expect((await readProfiles(files)).default).toBe('shop');
  });

  test('the missing profiles are sandbox and live, until they exist', async () => {
    const files = temporaryFiles();
    expect(await missingProfiles(files)).toEqual([
      { name: 'sandbox', environment: 'sandbox', next: 'gw login sandbox' },
      { name: 'live', environment: 'live', next: 'gw login live' },
    ]);
    await setProfile(files, 'shop', sandbox);
    await setProfile(files, 'sandbox', { baseUrl });
    expect((await missingProfiles(files)).map(({ name }) => name)).toEqual(['live']);
    await setProfile(files, 'live', { baseUrl });
    expect(await missingProfiles(files)).toEqual([]);
  });

  test('an unknown name gets the nearest one as a suggestion', async () => {
    const files = temporaryFiles();
    await setProfile(files, 'shop-au', { environment: 'sandbox', baseUrl });
    await setProfile(files, 'shop-nz', { environment: 'sandbox', baseUrl });
    const next = async (name: string): Promise<string | undefined> =>
      (await failureOf(() => showProfile(files, name))).next;
    expect(await next('loca')).toBe('Did you mean local? `gw profile list` shows your profiles.');
    expect(await next('shop-nu')).toContain('Run `gw profile list`');
    expect(await next('nosuch')).toContain('`gw login nosuch --environment sandbox`');
  });
});

describe('the limit of a live profile', () => {
  const live: Profile = {
    name: 'live',
    environment: 'live',
    baseUrl: new URL('https://gateway.example.com'),
    currency: 'AUD',
    maxAmount: 100_000,
  };
  test.each<[changes: ProfileChanges, lifted: string[]]>([
    [{ maxAmount: 99_999 }, []],
    [{ currency: 'AUD' }, []],
    [{ maxAmount: 100_001 }, ['raises the limit of 1000.00 AUD to 1000.01 AUD']],
    [{ maxAmount: null, currency: 'JPY' }, ['lifts the limit of 1000.00 AUD']],
    [{ currency: 'JPY' }, ['changes the limit of 1000.00 AUD to 100000 JPY']],
    [{ currency: null }, ['changes the limit of 1000.00 AUD to 1000.00 (account currency)']],
    [{ currency: 'JPY', maxAmount: 500 }, ['changes the limit of 1000.00 AUD to 500 JPY']],
  ])('the change %j is confirmed as %j', async (changes, lifted) => {
    expect(await liftedGuards(live, changes)).toEqual(lifted);
  });

  const capped = { ...live, maxPerHour: ['20'], maxPerDay: ['50.00 refunds'], requireNote: true };
  test.each<[changes: ProfileChanges, lifted: string[]]>([
    [{ maxPerHour: ['19'] }, []],
    [{ maxPerHour: ['20 purchases', '5 refunds'] }, []],
    [{ maxPerDay: ['50 AUD refunds', '1 refund'] }, []],
    [{ requireNote: true }, []],
    [
      { maxPerHour: ['21 refunds', '20 purchases'] },
      ['raises the cap of 20 refunds an hour to 21 refunds an hour'],
    ],
    [{ maxPerHour: ['20 refunds'] }, ['lifts the cap of 20 purchases an hour']],
    [
      { maxPerHour: ['20 by operator'] },
      ['lifts the cap of 20 refunds an hour', 'lifts the cap of 20 purchases an hour'],
    ],
    [{ maxPerDay: null }, ['lifts the cap of 50.00 AUD of refunds a day']],
    [{ maxPerDay: ['50.00 refunds', '1.00 EUR refunds'] }, ['allows refunds in EUR']],
    [{ requireNote: null }, ['asks for no note any more']],
  ])('the rule %j is confirmed as %j', async (changes, lifted) => {
    expect(await liftedGuards(capped, changes)).toEqual(lifted);
    expect(await liftedGuards({ ...capped, environment: 'sandbox' }, changes)).toEqual([]);
  });

  const moved = ['moves it away from the ledger that knows what was sent'];
  test.each<[ledger: string | null, lifted: string[]]>([
    ['postgres://ledger.example/gw', []],
    ['postgres://ledger.example/gw?sslrootcert=/ca.pem', []],
    ['postgres://ada@ledger.example:5432/gw?sslmode=verify-full', []],
    ['postgresql://ledger.example/g%77', []],
    [null, moved],
    ['postgres://ledger.example/gw2', moved],
    ['postgres://ledger.example:6432/gw', moved],
    ['postgres://other.example/gw', moved],
  ])('the ledger %j is confirmed as %j', async (ledger, lifted) => {
    const before = { ...live, ledger: 'postgres://ledger.example/gw' };
    expect(await liftedGuards(before, { ledger })).toEqual(lifted);
    expect(await liftedGuards(live, { ledger })).toEqual([]);
  });

  test('a profile without a limit may change its currency', async () => {
    expect(await liftedGuards({ ...live, maxAmount: undefined }, { currency: 'JPY' })).toEqual([]);
  });
});
