import { expect, test } from 'vitest';
import { profilesFile } from '../../../../src/client/profiles/store.ts';
import { Failure } from '../../../../src/failure.ts';
import { createFiles } from '../../../../src/host/files/files.ts';
import {
  checkConfiguration,
  checkKeychain,
  checkNode,
} from '../../../../src/setup/doctor/machine.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const SHOP = { environment: 'sandbox', baseUrl: 'https://gateway.example' };

function check(content: object | string | undefined, hasEnvironment = false) {
  const files = createFiles({ HOME: temporaryDirectory() });
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  if (content !== undefined) files.writePrivate(profilesFile(files), text);
  return checkConfiguration(files, hasEnvironment);
}

test('profiles and the default one are said', async () => {
  const { state, message } = await check({ default: 'shop', profiles: { shop: SHOP } });
  expect([state, message]).toEqual(['ok', expect.stringMatching(/^1 profile in .*; shop is the/)]);
});

test('there need not be a default profile', async () => {
  expect(await check({ profiles: { shop: SHOP } })).toMatchObject({ state: 'ok' });
});

test('that no profile is set up is a warning, unless the environment makes one', async () => {
  expect(await check(undefined)).toMatchObject({
    state: 'warning',
    next: expect.stringContaining('`gw login sandbox`'),
  });
  expect(await check(undefined, true)).toMatchObject({ state: 'ok' });
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

const answers = { name: 'the Secret Service', peek: async () => undefined };
const absent = {
  name: 'the Secret Service',
  peek: async () => {
    throw new Failure('auth', 'There is no keychain.', { code: 'x', next: 'Start one.' });
  },
};

test('a keychain that answers is named', async () => {
  expect(await checkKeychain(answers, [])).toEqual({
    state: 'ok',
    message: 'the Secret Service answers',
  });
});

test('a keychain that no profile needs may be absent', async () => {
  expect(await checkKeychain(absent, [])).toEqual({
    state: 'ok',
    message: 'no profile needs one (There is no keychain)',
  });
});

test('a keychain that a profile needs is a warning, with the profile', async () => {
  expect(await checkKeychain(absent, ['live', 'shop'])).toEqual({
    state: 'warning',
    message: 'There is no keychain. Needed by live, shop.',
    next: 'Start one.',
  });
});

test('the keychain is asked for what some profile has in it', async () => {
  const asked: string[] = [];
  await checkKeychain({ ...answers, peek: async (name) => void asked.push(name) }, ['shop']);
  expect(asked).toEqual(['shop']);
});

const SUPPORTED = '>=20.19.0';

test.each(['20.19.0', '20.20.2', '22.0.0', '26.1.0-nightly'])('Node %s is supported', (node) => {
  expect(checkNode({ node, supported: SUPPORTED }).state).toBe('ok');
});

test.each(['20.18.9', '18.30.1', '9.99.99'])('Node %s is too old', (node) => {
  expect(checkNode({ node, supported: SUPPORTED })).toMatchObject({
    state: 'failed',
    kind: 'usage',
    message: `Node ${node} is too old: gw runs on >=20.19.0.`,
  });
});
