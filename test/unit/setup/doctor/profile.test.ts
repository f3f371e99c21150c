import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Profile } from '../../../../src/client/profiles/profile.ts';
import type { Choice } from '../../../../src/client/profiles/resolve.ts';
import { openState } from '../../../../src/emulator/state.ts';
import { Failure } from '../../../../src/failure.ts';
import {
  checkCredentials,
  checkEmbeddedState,
  checkServed,
} from '../../../../src/setup/doctor/profile.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { standingClock } from '../../../helpers/client.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

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

const clock = standingClock();
const file = () => path.join(temporaryDirectory(), 'emulator.db');

test('state that is not there yet is not made', async () => {
  const at = file();
  expect(await checkEmbeddedState(at, 0, clock)).toMatchObject({ state: 'ok' });
  expect(existsSync(at)).toBe(false);
});

test('state is said with its clock and its dialect', async () => {
  const at = file();
  openState({ path: at, clock }).close();
  expect((await checkEmbeddedState(at, 1, clock)).message).toBe(
    `${at}; its clock is at 2026-03-10T09:30:00Z; deployed dialect`,
  );
});

test('state that cannot be read fails, with what makes a new one', async () => {
  const at = file();
  writeFileSync(at, 'nothing of ours '.repeat(500));
  expect(await checkEmbeddedState(at, 1, clock)).toMatchObject({
    state: 'failed',
    kind: 'usage',
    next: expect.stringContaining('`gw emulator reset`'),
  });
});

test('whether it is served is never a fault', () => {
  expect([checkServed(true).state, checkServed(false).state]).toEqual(['ok', 'ok']);
});
