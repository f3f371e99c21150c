import { beforeEach, describe, expect, test } from 'vitest';
import {
  type Resolved,
  resolveCredentials,
  resolveProfile,
} from '../../../../src/client/profiles/resolve.ts';
import { profilesFile, setProfile } from '../../../../src/client/profiles/store.ts';
import { Failure } from '../../../../src/failure.ts';
import type { Files } from '../../../../src/host/host.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { temporaryFiles, writeProfilesText } from './support.ts';

type Env = Record<string, string>;

const SANDBOX_URL = 'https://sandbox.example.com';
const LIVE_URL = 'https://live.example.com/api';
const TOKEN = { GW_USERNAME: 'env-user', GW_API_TOKEN: 'env-token' };
const FOUR = { ...TOKEN, GW_BASE_URL: 'https://env.example.com/', GW_ENVIRONMENT: 'live' };

let files: Files;
let stored: Map<string, string>;
let commands: string[];
let asked: string[];

beforeEach(async () => {
  files = temporaryFiles();
  await setProfile(files, 'sandbox', { baseUrl: SANDBOX_URL });
  await setProfile(files, 'live', { baseUrl: LIVE_URL });
  stored = new Map(['sandbox', 'live'].map((name) => [name, secretOf(`keychain-${name}`)]));
  commands = [];
  asked = [];
});

const secretOf = (username: string) => JSON.stringify({ username, apiToken: `${username}-token` });

async function resolve(flag: string | undefined, env: Env = {}): Promise<Resolved> {
  return resolveCredentials(await resolveProfile({ flag, env, files }), {
    env,
    shell: {
      run: async (commandLine) => {
        commands.push(commandLine);
        return secretOf('command');
      },
    },
    keychain: {
      get: async (account) => {
        asked.push(account);
        return stored.get(account);
      },
    },
  });
}

/** `profile username`, and what became of each source. */
async function outcome(flag: string | undefined, env: Env = {}): Promise<string> {
  const { profile, credentials } = await resolve(flag, env);
  return `${profile.name} ${credentials?.username}`;
}

describe('the profile', () => {
  test.each<[string, string | undefined, Env, string]>([
    ['the flag', 'live', {}, 'live keychain-live'],
    ['the flag before GW_PROFILE', 'live', { GW_PROFILE: 'sandbox' }, 'live keychain-live'],
    ['the flag before the four', 'live', FOUR, 'live keychain-live'],
    ['GW_PROFILE', undefined, { GW_PROFILE: 'live' }, 'live keychain-live'],
    ['the four', undefined, FOUR, 'environment env-user'],
    ['the default', undefined, {}, 'sandbox keychain-sandbox'],
    [
      'the default, when variables are empty',
      undefined,
      { GW_PROFILE: '', GW_USERNAME: '', GW_API_TOKEN: '', GW_BASE_URL: '', GW_ENVIRONMENT: '' },
      'sandbox keychain-sandbox',
    ],
    ['the four, by name', 'environment', FOUR, 'environment env-user'],
    [
      'the four, by name in GW_PROFILE',
      undefined,
      { ...FOUR, GW_PROFILE: 'environment' },
      'environment env-user',
    ],
    ['local, when named', 'local', FOUR, 'local undefined'],
    ['local, when named by GW_PROFILE', undefined, { GW_PROFILE: 'local' }, 'local undefined'],
  ])('the profile is %s', async (_, flag, env, expected) => {
    expect(await outcome(flag, env)).toBe(expected);
  });

  test('the profile of the four variables has their address and environment, and no limits', async () => {
    const { profile, credentials } = await resolve(undefined, FOUR);
    expect(profile).toEqual({
      name: 'environment',
      environment: 'live',
      baseUrl: new URL('https://env.example.com/'),
    });
    expect(credentials?.apiToken.reveal()).toBe('env-token');
    expect(credentials?.renewal).toContain('GW_API_TOKEN');
    expect(asked).toEqual([]);
  });

  test.each(Object.keys(FOUR))('the four variables make no profile without %s', async (missing) => {
    const { [missing as keyof typeof FOUR]: _, ...env } = FOUR;
    const failure = await failureOf(() => resolve(undefined, env));
    expect(failure.kind).toBe('usage');
    expect(failure.message).toContain(`are set, but ${missing} is not.`);
    expect(asked).toEqual([]);
  });

  test('the profile is not the default when only a token is set', async () => {
    const failure = await failureOf(() => resolve(undefined, TOKEN));
    expect(failure.message).toContain('but GW_BASE_URL and GW_ENVIRONMENT are not');
    expect(failure.next).toContain('GW_PROFILE');
  });

  test.each<[Env, string]>([
    [{ ...FOUR, GW_ENVIRONMENT: 'local' }, 'GW_ENVIRONMENT is neither live nor sandbox'],
    [{ ...FOUR, GW_BASE_URL: 'http://gateway.example.com' }, 'GW_BASE_URL begins with http://'],
    [
      { ...FOUR, GW_API_TOKEN: 'a\nb' },
      'The content of GW_USERNAME and GW_API_TOKEN cannot be used',
    ],
  ])('the four variables make no profile if their content is invalid: %j', async (env, message) => {
    expect((await failureOf(() => resolve(undefined, env))).message).toContain(message);
  });

  test('the profile is not guessed when there is no default', async () => {
    files = temporaryFiles();
    expect(await failureOf(() => resolve(undefined))).toMatchObject({
      kind: 'auth',
      message: 'No profile is set up on this machine.',
      next: expect.stringMatching(/^Run `gw login`.*--profile local.*GW_USERNAME/),
    });
    await setProfile(files, 'live', { baseUrl: LIVE_URL });
    expect(await failureOf(() => resolve(undefined))).toMatchObject({
      kind: 'auth',
      next: 'Add --profile live, or set a default with `gw profile use NAME`.',
    });
    writeProfilesText(files, '{"default":"gone","profiles":{}}');
    expect(await failureOf(() => resolve(undefined))).toMatchObject({
      kind: 'usage',
      message: `The default profile gone is not in ${profilesFile(files)}.`,
    });
  });

  test('the profile file is not read if the environment or local decides', async () => {
    writeProfilesText(files, 'damaged');
    expect(await outcome(undefined, FOUR)).toBe('environment env-user');
    expect(await outcome('local')).toBe('local undefined');
    expect((await failureOf(() => resolve('live'))).message).toContain('is not valid JSON');
  });

  test('the profile must have a valid name', async () => {
    expect((await failureOf(() => resolve('../x'))).message).toBe(
      'That is not a valid profile name.',
    );
    expect((await failureOf(() => resolve(undefined, { GW_PROFILE: 'A' }))).kind).toBe('usage');
    expect((await failureOf(() => resolve(''))).kind).toBe('usage');
  });
});

describe('the credentials', () => {
  test('the credentials of the environment are used for the profile that GW_PROFILE names', async () => {
    expect(await outcome(undefined, { ...TOKEN, GW_PROFILE: 'live' })).toBe('live env-user');
    expect(asked).toEqual([]);
  });

  test.each<[string, Env]>([
    ['GW_PROFILE names it too', { ...TOKEN, GW_PROFILE: 'live' }],
    [
      'address and environment are its own',
      { ...TOKEN, GW_BASE_URL: `${LIVE_URL}/`, GW_ENVIRONMENT: 'live' },
    ],
  ])("the credentials of the environment are used for the flag's profile if %s", async (_, env) => {
    expect(await outcome('live', env)).toBe('live env-user');
  });

  test.each<[string, Env, string]>([
    ['nothing says whose they are', TOKEN, 'nothing says that they belong to live'],
    [
      'GW_PROFILE names another',
      { ...TOKEN, GW_PROFILE: 'sandbox' },
      'GW_PROFILE names another profile',
    ],
    [
      'the environment is another',
      { ...FOUR, GW_ENVIRONMENT: 'sandbox', GW_BASE_URL: LIVE_URL },
      'GW_ENVIRONMENT is not live',
    ],
    ['the address is another', FOUR, `GW_BASE_URL is not ${LIVE_URL}`],
    ['the address is none', { ...FOUR, GW_BASE_URL: 'x' }, `GW_BASE_URL is not ${LIVE_URL}`],
    [
      'only the address is given',
      { ...TOKEN, GW_BASE_URL: LIVE_URL },
      'nothing says that they belong to live',
    ],
    [
      'there is no token',
      { GW_USERNAME: 'env-user', GW_PROFILE: 'live' },
      'GW_API_TOKEN is not set',
    ],
  ])(
    "the credentials of the environment are not used for the flag's profile if %s",
    async (_, env, because) => {
      const { credentials, why } = await resolve('live', env);
      expect(credentials?.username).toBe('keychain-live');
      expect(why.find(({ sentence }) => sentence.includes('not used'))).toMatchObject({
        outcome: 'skipped',
        sentence: expect.stringContaining(because),
      });
    },
  );

  test('the credentials that contradict GW_PROFILE are refused', async () => {
    const failure = await failureOf(() => resolve(undefined, { ...FOUR, GW_PROFILE: 'sandbox' }));
    expect(failure).toMatchObject({
      kind: 'usage',
      message: 'GW_PROFILE names sandbox, but GW_ENVIRONMENT is not sandbox.',
    });
    const half = { GW_PROFILE: 'live', GW_API_TOKEN: 'env-token' };
    expect((await failureOf(() => resolve(undefined, half))).message).toContain(
      'but GW_USERNAME is not.',
    );
    expect(asked).toEqual([]);
  });

  test.each<[string, string, Env]>([
    ['local', 'GW_ENVIRONMENT is not local', FOUR],
    ['local', 'GW_BASE_URL is not', { GW_BASE_URL: 'https://x.example' }],
    ['sandbox', 'GW_ENVIRONMENT is not sandbox', { GW_ENVIRONMENT: 'live' }],
  ])('a GW_PROFILE %s left over from before is refused: %s', async (name, because, env) => {
    const failure = await failureOf(() => resolve(undefined, { ...env, GW_PROFILE: name }));
    expect(failure).toMatchObject({ code: 'environment-contradicts' });
    expect(failure.message).toContain(because);
    expect(await outcome(name, { ...env, GW_PROFILE: name })).toContain(name);
  });

  test('the credentials of the credentialCommand come before those of the keychain', async () => {
    await setProfile(files, 'live', { credentialCommand: 'op read op://gw/live' });
    expect(await outcome('live')).toBe('live command');
    expect(commands).toEqual(['op read op://gw/live']);
    expect(asked).toEqual([]);
  });

  test('the credentials of the environment come before those of the credentialCommand', async () => {
    await setProfile(files, 'live', { credentialCommand: 'op read op://gw/live' });
    expect(await outcome(undefined, { ...TOKEN, GW_PROFILE: 'live' })).toBe('live env-user');
    expect(commands).toEqual([]);
  });

  test('the credentials have no other source if the credentialCommand or the keychain fails', async () => {
    await setProfile(files, 'live', { credentialCommand: 'false' });
    const broken = new Failure('credential-command-failed', 'It exited with 1.', 'x');
    const choice = await resolveProfile({ flag: 'live', env: {}, files });
    const fails = async () => {
      throw broken;
    };
    const sources = { env: {}, shell: { run: fails }, keychain: { get: fails } };
    expect(await failureOf(() => resolveCredentials(choice, sources))).toBe(broken);
    const { profile } = await resolveProfile({ flag: 'sandbox', env: {}, files });
    expect(await failureOf(() => resolveCredentials({ ...choice, profile }, sources))).toBe(broken);
  });

  test('the credentials are missing: the message names every way to give some', async () => {
    stored.clear();
    expect(await failureOf(() => resolve('live'))).toMatchObject({
      kind: 'auth',
      message: 'gw found no credentials for the profile live.',
      next: expect.stringMatching(
        /^Run `gw login live`, unlock the keychain if .*, or set GW_USERNAME.*--credential-command/,
      ),
    });
    expect((await failureOf(() => resolve('live', TOKEN))).next).toMatch(
      /GW_USERNAME and GW_API_TOKEN are set but not used.*GW_PROFILE=live; otherwise run `gw login live`/,
    );
  });

  test('the credentials are never printed', async () => {
    const { inspect } = await import('node:util');
    for (const resolved of [await resolve('live'), await resolve(undefined, FOUR)]) {
      expect(inspect(resolved, { depth: 9 }) + JSON.stringify(resolved)).not.toMatch(/-token/);
    }
  });
});

describe('why', () => {
  const sentences = async (flag: string | undefined, env: Env = {}) =>
    (await resolve(flag, env)).why.map(({ outcome, sentence }) => `${outcome}: ${sentence}`);

  test('why lists each source in order', async () => {
    expect(await sentences('live', { GW_PROFILE: 'sandbox' })).toEqual([
      'chosen: The profile is live, from --profile.',
      'skipped: GW_PROFILE (sandbox) is ignored, because --profile takes precedence.',
      'skipped: The default profile is ignored, because --profile takes precedence.',
      'not set: GW_USERNAME and GW_API_TOKEN are not set.',
      'not set: live has no credential command.',
      'chosen: The credentials come from the keychain entry for live.',
    ]);
  });
});
