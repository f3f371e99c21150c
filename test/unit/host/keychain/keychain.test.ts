/**
 * What gw makes of a keychain's answers, with an addon that is a script: the messages of other
 * operating systems, crashes and endless waits. The real ones are in test/system.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createKeychain, type KeychainOptions } from '../../../../src/host/keychain/keychain.ts';
import { interruption } from '../../../../src/host/signals.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

/** @param body of each of the addon's functions; `args` holds what it was called with */
function keychainOf(body: string, options: Partial<KeychainOptions> = {}) {
  const keytar = path.join(temporaryDirectory(), 'keytar.cjs');
  const method = `async (...args) => { ${body} }`;
  writeFileSync(
    keytar,
    `module.exports = { getPassword: ${method}, setPassword: ${method}, deletePassword: ${method} };`,
  );
  return createKeychain({
    env: { PATH: process.env.PATH },
    interrupted: new AbortController().signal,
    platform: 'darwin',
    keytar,
    ...options,
  });
}

describe('a call', () => {
  test('a call of the keychain names the service and the account', async () => {
    const keychain = keychainOf('return JSON.stringify(args)');
    expect(JSON.parse((await keychain.get('live'))!)).toEqual(['gw', 'live']);
  });

  test('a call of the keychain gives undefined for nothing, and whether something was deleted', async () => {
    expect(await keychainOf('return null').get('live')).toBeUndefined();
    expect(await keychainOf('return true').delete('live')).toBe(true);
    expect(await keychainOf('return false').delete('live')).toBe(false);
    expect(await keychainOf('').set('live', 'x')).toBeUndefined();
  });

  test('a call of the keychain carries any text', async () => {
    const secret = `"\\'\n\u0000 söcret 😀 ${'x'.repeat(5000)}`;
    const keychain = keychainOf('throw new Error(args[2])');
    const failure = await failureOf(() => keychain.set('live', secret));
    expect(failure.cause).toBe(secret);
  });

  test('a call of the keychain shows the secret and the variables of gw to no other process', async () => {
    const keychain = keychainOf(
      'throw new Error(JSON.stringify([process.argv, process.execArgv, process.env]))',
      {
        env: {
          PATH: process.env.PATH,
          GW_API_TOKEN: 'tok-1',
          NODE_OPTIONS: '--title=x',
          HOME: '/home/ada',
        },
      },
    );
    const { cause } = await failureOf(() => keychain.set('live', 'tok-2'));
    expect(cause).toContain('/home/ada');
    expect(cause).not.toMatch(/tok-|NODE_OPTIONS/);
  });
});

describe('a keychain that does not work', () => {
  const OTHER_WAYS =
    /; or set GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT, or give the profile a credentialCommand \(`gw profile set`\)\.$/;

  test.each([
    ['throw new Error("User canceled the operation.")', 'The keychain is locked.'],
    ['throw new Error("User interaction is not allowed.")', 'The keychain is locked.'],
    ['throw new Error("Something new")', 'The keychain failed: Something new.'],
    ['throw new Error("Could not connect: Connection refused")', 'This session has no keychain.'],
    ['process.abort()', 'The part of gw that talks to the keychain stopped before answering.'],
    ['process.exit(0)', 'The part of gw that talks to the keychain stopped before answering.'],
    [
      'process.stdout.write("what\\n")',
      'The part of gw that talks to the keychain stopped before answering.',
    ],
    [
      'process.stdout.write("x".repeat(3e6)); await new Promise(() => {})',
      'The part of gw that talks to the keychain stopped before answering.',
    ],
  ])('a keychain that does `%s` is not waited for', async (body, message) => {
    const failure = await failureOf(() => keychainOf(body).get('live'));
    expect(failure).toMatchObject({ kind: 'auth', message });
    expect(failure.next).toMatch(OTHER_WAYS);
  });

  test('a keychain that never answers fails in time', async () => {
    const keychain = keychainOf('await new Promise(() => setInterval(() => {}, 1000))', {
      unlockTimeoutMs: 200,
    });
    const failure = await failureOf(() => keychain.get('live'));
    expect(failure).toMatchObject({
      kind: 'auth',
      message: 'The keychain did not answer in time.',
    });
    expect(failure.next).toMatch(OTHER_WAYS);
  });

  test('a keychain whose addon npm left out fails', async () => {
    const failure = await failureOf(() => keychainOf('', { keytar: undefined }).get('live'));
    expect(failure.message).toBe('The part of gw that talks to the keychain is not installed.');
    expect(failure.next).toMatch(/^Install gw again without --omit=optional; or set GW_USERNAME/);
  });

  test('a keychain whose addon is for another machine fails', async () => {
    const keytar = path.join(temporaryDirectory(), 'keytar.cjs');
    writeFileSync(keytar, 'throw new Error("invalid ELF header")');
    const failure = await failureOf(() => keychainOf('', { keytar }).get('live'));
    expect(failure.message).toBe(
      'The part of gw that talks to the keychain does not run on this machine.',
    );
    expect(failure.cause).toBe('invalid ELF header');
  });

  test('a call of the keychain ends when gw is interrupted, before or meanwhile', async () => {
    const controller = new AbortController();
    const keychain = keychainOf('await new Promise(() => setInterval(() => {}, 1000))', {
      interrupted: controller.signal,
    });
    const running = failureOf(() => keychain.get('live'));
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort(interruption());
    expect((await running).kind).toBe('interrupted');
    expect((await failureOf(() => keychain.get('live'))).kind).toBe('interrupted');
  });
});
