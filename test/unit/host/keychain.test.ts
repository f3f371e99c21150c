/** How gw reads a keychain's answers, with those of other operating systems. The real ones are in test/system. */
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../src/failure.ts';
import { createKeychain, type Keytar } from '../../../src/host/keychain.ts';
import { interruption } from '../../../src/host/signals.ts';
import { failureOf } from '../../helpers/failure.ts';

const NEVER = new Promise<never>(() => undefined);

/** @param answer of each call of keytar, to what it was called with */
function keychainOf(
  answer: (...called: string[]) => Promise<unknown>,
  { controller = new AbortController(), unlockTimeoutMs = 60_000 } = {},
) {
  const keytar = { getPassword: answer, setPassword: answer, deletePassword: answer } as Keytar;
  const { signal: interrupted } = controller;
  return createKeychain({ interrupted, load: () => keytar, unlockTimeoutMs });
}

test('a call of the keychain names the service, the account and the secret', async () => {
  const called = async (...args: string[]) => JSON.stringify(args);
  expect(await keychainOf(called).get('live')).toBe('["gw","live"]');
  expect(await keychainOf(called).peek('live')).toBe('["gw","live"]');
  expect(await keychainOf(called).set('live', 'söcret\n')).toBe('["gw","live","söcret\\n"]');
});

test('a call of the keychain returns undefined for a missing secret, and whether one was deleted', async () => {
  expect(await keychainOf(async () => null).get('live')).toBeUndefined();
  expect(await keychainOf(async () => true).delete('live')).toBe(true);
  expect(await keychainOf(async () => false).delete('live')).toBe(false);
});

describe('a keychain that does not work', () => {
  const OTHER_WAYS =
    /; or set GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT, or give the profile a --credential-command \(`gw profile set`\)\.$/;

  test.each([
    ['User canceled the operation.', 'The keychain is locked.'],
    ['User interaction is not allowed.', 'The keychain is locked.'],
    ['Cannot create an item in a locked collection', 'The keychain is locked.'],
    ['Timeout was reached', 'The keychain did not answer in time.'],
    ['Something new', 'The keychain failed: Something new.'],
    [
      'Could not connect: Connection refused',
      'No keychain found: no Secret Service is running in this session.',
    ],
  ])('a keychain that says `%s` fails', async (said, message) => {
    const keychain = keychainOf(() => Promise.reject(new Error(said)));
    const failure = await failureOf(() => keychain.get('live'));
    expect(failure).toMatchObject({ kind: 'auth', message, cause: said });
    expect(failure.next).toMatch(OTHER_WAYS);
  });

  test('a keychain that never answers fails in time', async () => {
    const keychain = keychainOf(() => NEVER, { unlockTimeoutMs: 1 });
    const failure = await failureOf(() => keychain.get('live'));
    expect(failure).toMatchObject({
      kind: 'auth',
      message: 'The keychain did not answer in time.',
    });
    expect(failure.next).toMatch(OTHER_WAYS);
  });

  test('a keychain that does not load fails on its first use', async () => {
    const missing = new Failure('auth', 'Not here.', { code: 'x', next: '' });
    const keychain = createKeychain({
      interrupted: new AbortController().signal,
      load: () => {
        throw missing;
      },
    });
    expect(await failureOf(() => keychain.get('live'))).toBe(missing);
  });

  test('a call of the keychain ends after an interruption, before it or during it', async () => {
    const controller = new AbortController();
    const keychain = keychainOf(() => NEVER, { controller });
    const running = failureOf(() => keychain.get('live'));
    controller.abort(interruption());
    expect((await running).kind).toBe('interrupted');
    expect((await failureOf(() => keychain.get('live'))).kind).toBe('interrupted');
  });
});
