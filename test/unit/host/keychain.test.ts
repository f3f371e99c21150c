/** How gw reads a keychain's answers, with those of other operating systems. The real ones are in test/system. */
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../src/failure.ts';
import { interruption } from '../../../src/host/ending.ts';
import { createKeychain, type Keytar } from '../../../src/host/keychain.ts';
import { failureOf } from '../../helpers/failure.ts';

const NOTHING = { isThere: false, hasOthers: false, own: [] as string[], mayHide: false };
const NEVER = new Promise<never>(() => undefined);

/** @param answer of each call of keytar, to what it was called with */
function keychainOf(
  answer: (...called: string[]) => Promise<unknown>,
  { controller = new AbortController(), unlockTimeoutMs = 60_000, seen = NOTHING } = {},
) {
  const keytar = { getPassword: answer, setPassword: answer, deletePassword: answer } as Keytar;
  const { signal: interrupted } = controller;
  return createKeychain({
    interrupted,
    load: () => keytar,
    look: async () => seen,
    unlockTimeoutMs,
  });
}

test('a call of the keychain names the service, the account and the secret', async () => {
  const called = async (...args: string[]) => JSON.stringify(args);
  expect(await keychainOf(called).get('live')).toBe('["gw","live"]');
  expect(await keychainOf(called).peek('live')).toBe('["gw","live"]');
  const all: string[] = [];
  await keychainOf(async (...args) => void all.push(JSON.stringify(args))).set('live', 'söcret\n');
  expect(all).toContain('["gw","live","söcret\\n"]');
});

test('a keychain says what it holds after it was told to store, and whether there is another entry', async () => {
  const seen = { ...NOTHING, isThere: true, hasOthers: true };
  const kept = await keychainOf(async () => 'earlier', { seen }).set('live', 'new');
  expect(kept).toEqual({ held: 'earlier', hasOthers: true });
  expect(await keychainOf(async () => null).set('live', 'new')).toEqual({
    held: undefined,
    hasOthers: false,
  });
});

test.each([
  ['nothing else is there', {}, undefined],
  ['another entry is there', { isThere: true, hasOthers: true }, undefined],
  ['part of it is locked', { mayHide: true }, undefined],
  [
    'the entry has an attribute of its owner',
    { isThere: true, own: ['url'] },
    'keychain-entry-own',
  ],
])('a keychain stores if %s, or says why not', async (_, seen, code) => {
  const called: string[] = [];
  const keychain = keychainOf(async (...args) => void called.push(`${args}`), {
    seen: { ...NOTHING, ...seen },
  });
  const failure = await keychain.set('live', 'new').then(
    () => undefined,
    (error: Failure) => error,
  );
  expect(failure?.code).toBe(code);
  expect(called.includes('gw,live,new')).toBe(code === undefined);
});

test.each<[string, before: string | null, after: string | null, object, boolean | string]>([
  ['it was there', 'x', null, {}, true],
  ['it was there, and part of the keychain is locked', 'x', null, { mayHide: true }, true],
  ['it was not there', null, null, {}, false],
  ['part of the keychain is locked', null, null, { mayHide: true }, 'keychain-locked'],
  ['it is still read', 'x', 'x', {}, 'keychain-entry-stays'],
  ['it is still seen', 'x', null, { isThere: true }, 'keychain-entry-stays'],
  [
    'it was never read, and is seen',
    null,
    null,
    { isThere: true, mayHide: true },
    'keychain-entry-stays',
  ],
  ['another one is seen', null, null, { isThere: true, hasOthers: true }, 'keychain-entry-stays'],
  [
    'it has an attribute of its owner',
    'x',
    'x',
    { isThere: true, own: ['url'] },
    'keychain-entry-own',
  ],
])('what deleting an entry says if %s', async (_, before, after, seen, said) => {
  let wasDeleted = false;
  const keytar = {
    getPassword: async () => (wasDeleted ? after : before),
    setPassword: async () => undefined,
    deletePassword: async () => (wasDeleted = true),
  };
  const look = async () => ({ ...NOTHING, ...seen });
  const { signal: interrupted } = new AbortController();
  const keychain = createKeychain({ interrupted, load: () => keytar, look });
  const result = await keychain.delete('live').catch((error: Failure) => error.code);
  expect(result).toBe(said);
});

test.each([
  ['Client public key size is invalid', 2],
  ['Something new', 2],
  ['The keychain is locked', 1],
  ['Timeout was reached', 1],
  ['Could not connect: Connection refused', 1],
])('a keychain that says `%s` is asked %i times', async (said, times) => {
  let asked = 0;
  const refuse = () => {
    asked++;
    return Promise.reject(new Error(said));
  };
  for (const call of [
    () => keychainOf(refuse).get('live'),
    () => keychainOf(refuse).peek('live'),
    () => keychainOf(refuse).set('live', 'x'),
    () => keychainOf(refuse).delete('live'),
  ]) {
    asked = 0;
    await failureOf(call);
    expect(asked).toBe(times);
  }
  let first = true;
  const once = async () => {
    if (!first) return 'there';
    first = false;
    throw new Error('Client public key size is invalid');
  };
  expect(await keychainOf(once).get('live')).toBe('there');
});

test('a call of the keychain returns undefined for a missing secret', async () => {
  expect(await keychainOf(async () => null).get('live')).toBeUndefined();
});

describe('a keychain that does not work', () => {
  const OTHER_WAYS =
    /^Without a keychain, set GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT, or give the profile a --credential-command \(`gw profile set`\)\. With one: /;

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
    const missing = new Failure('keychain-missing', 'Not here.', '');
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
