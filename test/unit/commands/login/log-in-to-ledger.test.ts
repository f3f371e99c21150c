import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestOptions } from '../../../../src/cli/flags/command-options.ts';
import { forgetLedgerPassword } from '../../../../src/client/ledger/forget-ledger-password.ts';
import { setProfile } from '../../../../src/client/profiles/store.ts';
import { logIn } from '../../../../src/commands/login/log-in.ts';
import { checkLedgerLogin } from '../../../../src/commands/login/log-in-to-ledger.ts';
import { Failure } from '../../../../src/failure.ts';
import type { Host } from '../../../../src/host/host.ts';
import { Redactor } from '../../../../src/host/redaction/redactor.ts';
import { WAYS_WITHOUT_KEYCHAIN } from '../../../../src/host/secret-variables.ts';
import { parseLedgerAddress } from '../../../../src/store/postgres/address.ts';
import { createTestHost, type TestHostOptions } from '../../../helpers/cli.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { loginOptions } from '../../../helpers/login.ts';
import { Cluster, findPostgres } from '../../../helpers/postgres.ts';

const programs = findPostgres();
const PASSWORD = 'correct horse 7';

describe.skipIf(programs === undefined)('the password of a shared ledger', () => {
  const cluster = new Cluster(programs);
  afterAll(() => cluster.remove());
  const ledger = `postgres://ada@127.0.0.1:${cluster.port}/postgres`;
  const account = `ledger ada@127.0.0.1:${cluster.port}/postgres`;

  beforeAll(async () => {
    await cluster.query('postgres', `CREATE ROLE ada LOGIN PASSWORD '${PASSWORD}'`);
    await cluster.query('postgres', 'CREATE ROLE bob');
    cluster.configure('postgresql.conf', ["listen_addresses = '127.0.0.1'"]);
    cluster.configure('pg_hba.conf', [
      'host all all 127.0.0.1/32 scram-sha-256',
      'local all eve reject',
    ]);
    cluster.stop();
    cluster.start();
  });

  async function machine(options: TestHostOptions, kept: Record<string, string> = {}) {
    const keychain = new Map(Object.entries(kept));
    const redactor = new Redactor();
    const host = {
      ...createTestHost(options),
      hide: (secret: string) => redactor.addSecret(secret),
      keychain: {
        name: 'the keychain',
        get: async (name: string) => keychain.get(name),
        peek: async (name: string) => keychain.get(name),
        set: async (name: string, secret: string) => {
          keychain.set(name, secret);
          return { held: keychain.get(name), hasOthers: false };
        },
        delete: async (name: string) => keychain.delete(name),
      },
    };
    await setProfile(host.files, 'sandbox', { baseUrl: 'http://127.0.0.1:1', ledger });
    return { context: { host, redactor, root: '.' }, host, keychain, redactor };
  }

  const only = (host: Host) => ({ ...loginOptions(host), isForLedger: true });

  test('gw asks for it, tries it, stores it in the keychain and never shows it', async () => {
    const { context, host, keychain, redactor } = await machine({ answers: [PASSWORD] });
    await logIn(context, 'sandbox', only(context.host));
    expect(host.asked).toEqual([
      `Password for the ledger at ada@127.0.0.1:${cluster.port}/postgres (not shown):`,
    ]);
    expect(Object.fromEntries(keychain)).toEqual({ [account]: PASSWORD });
    expect(host.stderr.text).toBe(
      `Stored the password for the ledger at ada@127.0.0.1:${cluster.port}/postgres in the keychain.\n`,
    );
    expect(redactor.scrub(`x ${PASSWORD} y`)).not.toContain(PASSWORD);
  });

  test('without a keychain, the message names the other ways to give this password', async () => {
    const { context, host } = await machine({ stdin: PASSWORD });
    const fail = async () => {
      throw new Failure(
        'keychain-missing',
        'No keychain found.',
        `Start one; or ${WAYS_WITHOUT_KEYCHAIN}.`,
      );
    };
    const without = { ...host, keychain: { ...host.keychain, get: fail, set: fail, delete: fail } };
    const address = parseLedgerAddress(ledger, 'It');
    for (const asking of [
      () => logIn({ ...context, host: without }, 'sandbox', only(without)),
      () => forgetLedgerPassword(without, 'sandbox', address),
    ]) {
      const failure = await failureOf(asking);
      expect(failure.code).toBe('keychain-missing');
      expect(failure.next).toMatch(
        /^Start one; or set PGPASSWORD, add a line to ~\/\.pgpass, or name a command/,
      );
    }
  });

  test('a keychain that does not take it fails, and another entry is said', async () => {
    const { context, host } = await machine({ stdin: PASSWORD });
    const holding = (held: string, hasOthers: boolean) => ({
      ...host,
      keychain: { ...host.keychain, set: async () => ({ held, hasOthers }) },
    });
    const denying = holding('an earlier one', false);
    const failure = await failureOf(() =>
      logIn({ ...context, host: denying }, 'sandbox', only(denying)),
    );
    expect(failure).toMatchObject({
      ...{ kind: 'auth', code: 'keychain-not-stored' },
      message: `The keychain did not store the password for the ledger at ada@127.0.0.1:${cluster.port}/postgres. It has an earlier entry.`,
    });
    expect(`${failure.next}`).not.toContain('earlier one');
    const other = holding(PASSWORD, true);
    await logIn({ ...context, host: other }, 'sandbox', only(other));
    expect(host.stderr.text).toMatch(/\nNote: the keychain has another entry/);
  });

  test('a script can pipe it in', async () => {
    const { context, keychain } = await machine({ stdin: `${PASSWORD}\n` });
    await logIn(context, 'sandbox', only(context.host));
    expect(keychain.get(account)).toBe(PASSWORD);
  });

  test('a password that the server refuses is not stored', async () => {
    const { context, keychain } = await machine({ stdin: 'wrong horse 8' });
    const failure = await failureOf(() => logIn(context, 'sandbox', only(context.host)));
    expect(failure).toMatchObject({
      code: 'ledger-refused',
      message: `The server of ada@127.0.0.1:${cluster.port}/postgres does not let the role connect with the password from your input (password authentication failed for user "ada").`,
      next: 'Nothing was stored. Check the password and the role in the address.',
    });
    expect(keychain.size).toBe(0);
  });

  test('an empty stdin has no password to store', async () => {
    const { context } = await machine({});
    expect(await failureOf(() => logIn(context, 'sandbox', only(context.host)))).toMatchObject({
      kind: 'usage',
      code: 'ledger-password-missing',
    });
  });

  test('a role without the right to log in is not reported as a wrong password', async () => {
    const url = cluster.url('postgres').replace('gw@', 'bob@');
    const { context, keychain } = await machine({ stdin: PASSWORD, env: { GW_LEDGER_URL: url } });
    expect(await failureOf(() => logIn(context, 'sandbox', only(context.host)))).toMatchObject({
      code: 'ledger-refused',
      message: expect.stringMatching(
        /does not let the role connect \(role "bob" is not permitted to log in\)/,
      ),
    });
    expect(keychain.size).toBe(0);
  });

  test('nothing is stored for a server that needs no password', async () => {
    const { context, host } = await machine({
      stdin: PASSWORD,
      env: { GW_LEDGER_URL: cluster.url('postgres') },
    });
    await logIn(context, 'sandbox', only(context.host));
    expect(host.stderr.text).toContain('does not ask for a password, so nothing was stored.');
  });

  const profile = { name: 'sandbox', ledger };

  test('gw login asks for it if none is stored or the stored one is refused', async () => {
    for (const kept of [{}, { [account]: 'an old one' }]) {
      const { context, keychain } = await machine({ answers: [PASSWORD] }, kept);
      await checkLedgerLogin(context, 'sandbox', {
        profile,
        options: requestOptions(context.host, {}),
      });
      expect(keychain.get(account)).toBe(PASSWORD);
    }
  });

  test('gw login does not ask for it if the stored one works', async () => {
    const { context, host } = await machine({ answers: [] }, { [account]: PASSWORD });
    await checkLedgerLogin(context, 'sandbox', {
      profile,
      options: requestOptions(context.host, {}),
    });
    expect(host.stderr.text).toMatch(/You have access to the ledger at /);
    const other = await machine({ env: { PGPASSWORD: PASSWORD } });
    const options = requestOptions(other.context.host, {});
    await checkLedgerLogin(other.context, 'sandbox', { profile, options });
    expect(other.host.stderr.text).toMatch(/You have access to the ledger at /);
  });

  test('gw login without a terminal says how to store it', async () => {
    const { context, host } = await machine({});
    const options = requestOptions(context.host, {});
    await checkLedgerLogin(context, 'sandbox', { profile, options });
    expect(host.stderr.text).toBe(
      `Warning: gw found no password for the ledger at ada@127.0.0.1:${cluster.port}/postgres.\n` +
        'Store its password with `gw login sandbox --ledger`.\n',
    );
  });

  test('gw says if another source comes before the keychain', async () => {
    const env = { PGPASSWORD: 'another one' };
    const { context, host } = await machine({ stdin: PASSWORD, env });
    await logIn(context, 'sandbox', only(context.host));
    expect(host.stderr.text).toContain('It is not used here, because PGPASSWORD takes precedence.');
  });

  test('gw removes it unless another profile needs it', async () => {
    const { host, keychain } = await machine({}, { [account]: PASSWORD });
    const address = parseLedgerAddress(ledger, 'The ledger');
    await setProfile(host.files, 'shop', {
      environment: 'sandbox',
      baseUrl: 'http://127.0.0.1:1',
      ledger,
    });
    expect(await forgetLedgerPassword(host, 'sandbox', address)).toContain('shop uses it too');
    expect(keychain.size).toBe(1);
    await setProfile(host.files, 'shop', { ledger: null });
    expect(await forgetLedgerPassword(host, 'sandbox', address)).toContain(
      'Removed the password for',
    );
    expect(keychain.size).toBe(0);
    expect(await forgetLedgerPassword(host, 'sandbox', address)).toBeUndefined();
  });
});
