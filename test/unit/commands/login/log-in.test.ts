import { expect, test } from 'vitest';
import { setProfile } from '../../../../src/client/profiles/store.ts';
import { logIn } from '../../../../src/commands/login/log-in.ts';
import type { Failure } from '../../../../src/failure.ts';
import type { Keychain } from '../../../../src/host/host.ts';
import { Redactor } from '../../../../src/host/redaction/redactor.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { answer, hostileServer } from '../../../helpers/hostile-server.ts';
import { loginOptions } from '../../../helpers/login.ts';

const envelope = (status: number, response: unknown, errors: readonly string[]) =>
  answer(status, JSON.stringify({ successful: errors.length === 0, response, errors, test: true }));
const ACCEPTED = envelope(200, [], []);
const REFUSED = envelope(401, null, ['No such token']);

/**
 * @param replies of the gateway, in turn
 * @param name of the profile, if it is named
 * @param allowedCommands of the stored profile; undefined if there is none
 */
async function signIn(
  replies: readonly string[],
  name: string | undefined,
  answers: readonly string[],
  allowedCommands?: string[],
) {
  let asked = 0;
  const server = await hostileServer({
    onRequest: (socket) => void socket.write(replies[asked++] ?? REFUSED),
  });
  const stored: string[] = [];
  const keychain = {
    name: 'the keychain',
    get: async () => undefined,
    set: async (account: string, held: string) => {
      stored.push(account);
      return { held, hasOthers: false };
    },
  } as unknown as Keychain;
  const host = { ...createTestHost({ answers: [...answers] }), keychain };
  const context = { host, redactor: new Redactor(), root: '.' };
  const options = { ...loginOptions(host), baseUrl: server.url.href };
  if (allowedCommands) {
    const stored = { environment: 'sandbox', baseUrl: server.url.href, allowedCommands } as const;
    await setProfile(host.files, 'sandbox', stored);
  }
  const failure = await logIn(context, name, options).then(
    () => undefined,
    (error: Failure) => error,
  );
  return { host, stored, failure, asked };
}

test('gw asks again only for a refused token', async () => {
  const typed = ['shop', 'wrong', 'shop', 'right'];
  const { host, stored, failure } = await signIn([REFUSED, ACCEPTED], 'sandbox', typed);
  expect(failure).toBeUndefined();
  expect(stored).toEqual(['sandbox']);
  expect(host.asked).toEqual([
    ...['Username:', 'API token (not shown):'],
    ...['Username:', 'API token (not shown):'],
  ]);
  expect(host.stderr.text).toContain('Nothing was stored. Try again:\n');
  expect(host.stderr.text.match(/--username shop/g)).toHaveLength(1);
});

test('gw asks for a token three times at most', async () => {
  const typed = ['shop', '1', 'shop', '2', 'shop', '3', 'shop', '4'];
  const { stored, failure, asked } = await signIn([], 'sandbox', typed);
  expect(failure?.status).toBe(401);
  expect(stored).toEqual([]);
  expect(asked).toBe(3);
});

test('the person picks a profile if none is named', async () => {
  const { host, stored } = await signIn([ACCEPTED], undefined, ['sandbox', 'shop', 'right']);
  expect(host.asked[0]).toBe('Profile:');
  expect(stored).toEqual(['sandbox']);
  expect(host.stderr.text).toMatch(/gw login sandbox .*--username shop --with-token/);
});

test('a profile that allows few commands can be logged in to', async () => {
  const { stored, failure } = await signIn(
    [ACCEPTED],
    'sandbox',
    ['shop', 'right'],
    ['refund get'],
  );
  expect(failure).toBeUndefined();
  expect(stored).toEqual(['sandbox']);
});

test.each([
  [{}, '--environment live (or sandbox), --base-url ADDRESS, --username NAME.'],
  [{ environment: 'live' }, '--base-url ADDRESS, --username NAME.'],
  [{ environment: 'live', baseUrl: 'https://gateway.example' }, '--username NAME.'],
  [
    { hasTokenOnStdin: false, username: 'shop' },
    '--environment live (or sandbox), --base-url ADDRESS, --with-token.',
  ],
] as const)('everything that is missing is named at once: %j', async (given, missing) => {
  const host = createTestHost();
  const keychain = { get: async () => undefined } as unknown as Keychain;
  const context = { host: { ...host, keychain }, redactor: new Redactor(), root: '.' };
  const all = loginOptions(host);
  const none = { environment: undefined, baseUrl: undefined, username: undefined };
  const request = { ...all.request, mayAsk: false };
  const options = { ...all, ...none, hasTokenOnStdin: true, request, ...given };
  const failure = await logIn(context, 'shop', options).catch((error: Failure) => error);
  expect(failure?.message).toBe(`Missing: ${missing}`);
});
