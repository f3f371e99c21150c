import { existsSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkCredentials as credentials } from '../../../../src/client/profiles/credentials.ts';
import type { Profile } from '../../../../src/client/profiles/profile.ts';
import type { ResolvedProfile } from '../../../../src/client/profiles/resolve.ts';
import { findingOf } from '../../../../src/commands/doctor/finding.ts';
import {
  checkEmbedded,
  checkGateway,
  checkProfile,
  credentialsOf,
} from '../../../../src/commands/doctor/profile.ts';
import { openState } from '../../../../src/emulator/state.ts';
import { Redactor } from '../../../../src/host/redaction/redactor.ts';
import { emulatorPath } from '../../../../src/store/paths.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { answer, hostileServer } from '../../../helpers/hostile-server.ts';

const PLANS = JSON.stringify({ successful: true, response: [], errors: [], test: true });

async function askOf(status: number, body: string, differs: Partial<Profile> = {}) {
  const server = await hostileServer({
    onRequest: (socket) => socket.write(answer(status, body)),
  });
  const profile: Profile = {
    name: 'shop',
    environment: 'sandbox',
    baseUrl: server.url,
    ...differs,
  };
  const host = createTestHost();
  const resolved = {
    ...{ profile, chosenBy: 'flag' as const, why: [] },
    credentials: credentials('shop', 'not-shown', 'These', 'No.'),
  };
  const finding = await findingOf(checkGateway({ host, redactor: new Redactor() }, resolved));
  return { finding, server, host };
}

describe('the gateway', () => {
  test('the gateway check lists one plan, and neither stores nor prints anything', async () => {
    const { finding, server, host } = await askOf(200, PLANS);
    expect(finding).toEqual({
      state: 'ok',
      message: `${server.url.host} answers, accepts the credentials and is sandbox`,
    });
    expect(server.requests).toMatchObject([{ method: 'GET', target: '/v1.0/plans.json?limit=1' }]);
    expect(host.stderr.text).toBe('');
    expect(existsSync(host.files.stateDirectory)).toBe(false);
  });

  test('the gateway check ignores allowedCommands', async () => {
    const { finding } = await askOf(200, PLANS, { allowedCommands: ['refund get'] });
    expect(finding.state).toBe('ok');
  });

  test('the gateway check does not trust a server that is no gateway', async () => {
    const { finding } = await askOf(200, '<html>');
    expect(finding).toMatchObject({ state: 'failed', kind: 'notReached' });
  });

  test('the gateway check accepts an answer without a mode', async () => {
    const { finding } = await askOf(200, PLANS.replace(',"test":true', ''));
    expect(finding).toMatchObject({
      state: 'ok',
      message: expect.stringContaining('does not say'),
    });
  });

  test.each([
    [200, PLANS],
    [401, '{"successful": false, "response": null, "errors": ["No"], "test": true}'],
  ])('the gateway check fails for a live profile in test mode, answer %i', async (status, body) => {
    const { finding } = await askOf(status, body, { environment: 'live', name: 'live' });
    expect(finding).toMatchObject({
      state: 'failed',
      kind: 'auth',
      message: 'The profile live is live, but the gateway answered in TEST mode.',
      next: expect.stringContaining('`gw whoami -p live`'),
    });
  });
});

const STORED = '{"username": "shop", "apiToken": "not-shown"}';
const shop: Profile = {
  name: 'shop',
  environment: 'sandbox',
  baseUrl: new URL('https://gateway.example'),
};
const choice = (profile = shop): ResolvedProfile => ({ profile, chosenBy: 'flag', why: [] });
const host = (peek: () => Promise<string | undefined>, env = {}) => {
  const { keychain, shell } = createTestHost();
  return { env, shell, keychain: { ...keychain, peek } };
};
/** @returns what is found of an environment that makes a profile */
const checkEnvironment = async (env: Record<string, string>, isOffline: boolean) => {
  const context = { host: createTestHost({ env }), redactor: new Redactor(), root: '.' };
  return checkProfile(context, 'environment', isOffline);
};

describe('credentials', () => {
  const env = {
    ...{ GW_USERNAME: 'shop', GW_API_TOKEN: 'not-shown', GW_ENVIRONMENT: 'sandbox' },
    GW_BASE_URL: 'http://127.0.0.1:1',
  };

  test('credentials are reported by their source and never shown', async () => {
    const all = await checkEnvironment(env, true);
    expect(all).toEqual([
      {
        ...{ check: 'credentials', profile: 'environment', state: 'ok' },
        message: 'The credentials come from GW_USERNAME and GW_API_TOKEN.',
      },
    ]);
    expect(JSON.stringify(all)).not.toContain('not-shown');
  });

  test('missing credentials fail, and the message says how to store them', async () => {
    const finding = credentialsOf(
      choice(),
      host(async () => undefined),
    );
    await expect(finding).rejects.toMatchObject({
      kind: 'auth',
      next: expect.stringContaining('`gw login shop`'),
    });
  });

  test('a credential command may take ten seconds', async () => {
    const limits: number[] = [];
    const run = async (_: string, timeoutMs: number) => {
      limits.push(timeoutMs);
      return STORED;
    };
    const withCommand = { ...shop, credentialCommand: 'pass show gateway' };
    await credentialsOf(choice(withCommand), { ...host(async () => undefined), shell: { run } });
    expect(limits).toEqual([10_000]);
  });
});

describe('the built-in test gateway', () => {
  test('the test gateway check does not create a state', async () => {
    const { files, clock } = createTestHost();
    expect(await checkEmbedded({ files, clock })).toMatchObject({ state: 'ok' });
    expect(existsSync(emulatorPath(files))).toBe(false);
  });

  test('the test gateway check names the file of the state', async () => {
    const { files, clock } = createTestHost();
    openState({ path: emulatorPath(files), clock }).close();
    expect((await checkEmbedded({ files, clock })).message).toContain(emulatorPath(files));
  });

  test('the test gateway check fails for a damaged state, and says how to make a new one', async () => {
    const { files, clock } = createTestHost();
    files.writePrivate(emulatorPath(files), '');
    writeFileSync(emulatorPath(files), 'nothing of ours '.repeat(500));
    expect(await findingOf(checkEmbedded({ files, clock }))).toMatchObject({
      state: 'failed',
      kind: 'usage',
      next: expect.stringContaining('`gw emulator reset`'),
    });
  });
});
