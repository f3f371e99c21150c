/** A shell's prompt shows the profile that commands use. */
import { beforeEach, expect, test } from 'vitest';
import { glanceProfile } from '../../../../src/client/profiles/glance.ts';
import { resolveProfile } from '../../../../src/client/profiles/resolve.ts';
import { setProfile, useProfile } from '../../../../src/client/profiles/store.ts';
import { orFailure } from '../../../../src/failure.ts';
import type { Files } from '../../../../src/host/host.ts';
import { temporaryFiles, writeProfilesText } from './support.ts';

const FOUR = {
  GW_USERNAME: 'u',
  GW_API_TOKEN: 't',
  GW_BASE_URL: 'https://env.example.com/',
  GW_ENVIRONMENT: 'live',
};

let files: Files;

beforeEach(async () => {
  files = temporaryFiles();
  await setProfile(files, 'sandbox', { baseUrl: 'https://sandbox.example.com' });
  await setProfile(files, 'shop', { baseUrl: 'https://x.example.com', environment: 'live' });
});

const CASES: [flag: string | undefined, env: Record<string, string>][] = [
  [undefined, {}],
  ['shop', {}],
  ['local', {}],
  ['nope', {}],
  ['../x', {}],
  ['constructor', {}],
  ['environment', {}],
  [undefined, { GW_PROFILE: 'shop' }],
  [undefined, { GW_PROFILE: '' }],
  ['sandbox', { GW_PROFILE: 'shop' }],
  ['sandbox', FOUR],
  [undefined, { ...FOUR, GW_PROFILE: 'shop' }],
  [undefined, FOUR],
  [undefined, { ...FOUR, GW_ENVIRONMENT: 'sandbox' }],
  [undefined, { ...FOUR, GW_ENVIRONMENT: 'prod' }],
  [undefined, { GW_USERNAME: 'u' }],
];

test.each(CASES)('--profile %s with %j is the profile that a command uses', async (flag, env) => {
  await useProfile(files, 'shop');
  const found = await orFailure(resolveProfile({ flag, env, files }));
  const { name, environment } = 'profile' in found ? found.profile : {};
  const glanced = glanceProfile(flag, env, files);
  expect(glanced && { name: glanced.name, environment: glanced.environment }).toEqual(
    name && { name, environment },
  );
});

test.each([
  '{',
  'null',
  '[]',
  '{"default":"shop"}',
  '{"default":"shop","profiles":{"shop":7}}',
  '{"default":"live","profiles":{"live":{"environment":"sandbox"}}}',
])('a file of profiles that is %s names none', (text) => {
  writeProfilesText(files, text);
  expect(glanceProfile(undefined, {}, files)).toBeUndefined();
});

test('without a default and without a file there is none', () => {
  expect(glanceProfile(undefined, {}, temporaryFiles())).toBeUndefined();
});
