import { expect, test } from 'vitest';
import type { Profile } from '../../../../src/client/profiles/profile.ts';
import type { Choice } from '../../../../src/client/profiles/resolve.ts';
import { Failure } from '../../../../src/failure.ts';
import { checkCredentials } from '../../../../src/setup/doctor/credentials.ts';
import { createTestHost } from '../../../helpers/cli.ts';

const STORED = '{"username": "shop", "apiToken": "not-shown"}';
const shop: Profile = {
  name: 'shop',
  environment: 'sandbox',
  baseUrl: new URL('https://gateway.example'),
};
const choice = (profile = shop): Choice => ({ profile, chosenBy: 'flag', why: [] });
const host = (peek: () => Promise<string | undefined>, env = {}) => {
  const { keychain, shell } = createTestHost();
  return { env, shell, keychain: { ...keychain, peek } };
};

test('credentials are said by their place, and never what they are', async () => {
  const { finding, resolved } = await checkCredentials(
    choice(),
    host(async () => STORED),
  );
  expect(finding).toEqual({
    state: 'ok',
    message: 'The credentials come from the keychain entry for shop.',
  });
  expect(resolved?.credentials?.apiToken.reveal()).toBe('not-shown');
});

test('credentials that are not there fail with what stores them', async () => {
  const { finding, resolved } = await checkCredentials(
    choice(),
    host(async () => undefined),
  );
  expect(finding).toMatchObject({
    state: 'failed',
    kind: 'auth',
    next: expect.stringContaining('`gw login shop`'),
  });
  expect(resolved).toBeUndefined();
});

test('credentials of a keychain that is locked fail, and nobody is asked to unlock it', async () => {
  const locked = new Failure('auth', 'The keychain is locked.', { code: 'x', next: 'Unlock it.' });
  const { finding } = await checkCredentials(
    choice(),
    host(async () => {
      throw locked;
    }),
  );
  expect(finding).toMatchObject({ state: 'failed', message: 'The keychain is locked.' });
});

test('a command that gives credentials has ten seconds', async () => {
  const limits: number[] = [];
  const run = async (_: string, timeoutMs: number) => {
    limits.push(timeoutMs);
    return STORED;
  };
  const withCommand = { ...shop, credentialCommand: 'pass show gateway' };
  const { finding } = await checkCredentials(choice(withCommand), {
    ...host(async () => undefined),
    shell: { run },
  });
  expect([finding.state, limits]).toEqual(['ok', [10_000]]);
});
