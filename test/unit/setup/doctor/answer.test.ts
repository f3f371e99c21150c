import { describe, expect, test } from 'vitest';
import { checkCredentials } from '../../../../src/client/profiles/credentials.ts';
import type { Profile } from '../../../../src/client/profiles/profile.ts';
import { Redactor } from '../../../../src/host/redaction/redactor.ts';
import {
  ask,
  authenticationFinding,
  clockFinding,
  environmentFinding,
} from '../../../../src/setup/doctor/answer.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { NOW } from '../../../helpers/client.ts';
import { answer, hostileServer } from '../../../helpers/hostile-server.ts';

const PLANS = JSON.stringify({ successful: true, response: [], errors: [], test: true });
const MINUTE = 60_000;

async function askOf(status: number, body: string, { skewMs = 0, differs = {} } = {}) {
  const date = new Date(Date.parse(NOW) - skewMs).toUTCString();
  const server = await hostileServer({
    onRequest: (socket) => socket.write(answer(status, body, { Date: date })),
  });
  const profile: Profile = {
    name: 'shop',
    environment: 'sandbox',
    baseUrl: server.url,
    ...differs,
  };
  const host = createTestHost();
  const asked = await ask(
    { host, redactor: new Redactor(), root: '.' },
    {
      ...{ profile, chosenBy: 'flag', why: [] },
      credentials: checkCredentials('shop', 'not-shown', 'These', 'No.'),
    },
  );
  return { asked, profile, server, host };
}

describe('the harmless look-up', () => {
  test('the look-up asks for one plan, keeps nothing and says nothing', async () => {
    const { asked, server, host } = await askOf(200, PLANS);
    expect(authenticationFinding(asked).state).toBe('ok');
    expect(server.requests).toMatchObject([{ method: 'GET', target: '/v1.0/plans.json?limit=1' }]);
    expect(host.stderr.text).toBe('');
    expect(host.files.roomIn(host.files.stateDirectory).isThere).toBe(false);
  });

  test('the look-up is made for a profile that allows other commands only', async () => {
    const { asked } = await askOf(200, PLANS, { differs: { allowedCommands: ['refund get'] } });
    expect(authenticationFinding(asked).state).toBe('ok');
  });

  test('credentials that the gateway refuses fail, with its mode and its time', async () => {
    const refusal = '{"successful": false, "response": null, "errors": ["No"], "test": true}';
    const { asked } = await askOf(401, refusal);
    expect(authenticationFinding(asked)).toMatchObject({ state: 'failed', kind: 'auth' });
    expect(asked).toMatchObject({ test: true, skewMs: expect.any(Number) });
  });

  test('an answer that is no gateway’s is not believed', async () => {
    const { asked } = await askOf(200, '<html>');
    expect(authenticationFinding(asked)).toMatchObject({ state: 'failed', kind: 'notReached' });
  });
});

describe('the environment', () => {
  test('the environment is the one that the answer says', async () => {
    const { asked, profile } = await askOf(200, PLANS);
    expect(environmentFinding(profile, asked)).toEqual({ state: 'ok', message: 'sandbox' });
  });

  test('the environment of an answer that does not say is taken for the right one', () => {
    const profile = { name: 'live', environment: 'live' } as Profile;
    const asked = { failure: undefined, test: undefined, skewMs: undefined };
    expect(environmentFinding(profile, asked).state).toBe('ok');
  });

  test('a live profile that a test gateway answers is a failure', async () => {
    const { asked, profile } = await askOf(200, PLANS, {
      differs: { environment: 'live', name: 'live' },
    });
    expect(environmentFinding(profile, asked)).toMatchObject({
      state: 'failed',
      kind: 'auth',
      message: 'The profile live is live, but the gateway answered in TEST mode.',
      next: expect.stringContaining('`gw profile show live`'),
    });
  });
});

describe('the clock', () => {
  test.each([0, 30_000, -59_000])('clocks that are %i ms apart agree', async (skewMs) => {
    const { asked } = await askOf(200, PLANS, { skewMs });
    expect(clockFinding(asked.skewMs ?? Number.NaN).state).toBe('ok');
  });

  test.each([
    [2 * MINUTE, 'warning', "This machine's clock is 2 minutes ahead of the gateway's."],
    [-4 * MINUTE, 'warning', "This machine's clock is 4 minutes behind the gateway's."],
    [400_000, 'failed', "This machine's clock is 6 minutes ahead of the gateway's."],
    [-86_400_000 * 800, 'failed', "This machine's clock is 800 days behind the gateway's."],
  ])('clocks that are %i ms apart are a %s', async (skewMs, state, message) => {
    const { asked } = await askOf(200, PLANS, { skewMs });
    expect(clockFinding(asked.skewMs ?? Number.NaN)).toMatchObject({
      state,
      message,
      next: expect.stringContaining('timedatectl'),
    });
  });
});
