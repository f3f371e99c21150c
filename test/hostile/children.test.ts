/** The command line and environment of programs that gw starts have no secret. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { answer, hostileServer } from '../helpers/hostile-server.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { gw } from './support.ts';

const CARD = '5123456789012346';
const PASSWORD = 'listener-password-0x5ECRET';
const TOKEN = 'shop-token-0x5ECRET';

describe.skipIf(process.platform !== 'linux')('a credential command', () => {
  test('gets no card, no token and no password', async () => {
    const body = '{"successful":true,"response":{"id":"071-P-1","successful":true},"test":true}';
    const server = await hostileServer({
      onRequest: (socket) => socket.write(Buffer.from(answer(200, body))),
    });
    const home = temporaryDirectory();
    const dump = path.join(home, 'dump');
    const command = `cat /proc/self/environ /proc/$$/cmdline > ${dump}; echo '{"username":"SHOP","apiToken":"x"}'`;
    const set = [
      'profile',
      'set',
      'shop',
      '--environment',
      'sandbox',
      '--base-url',
      server.url.href,
    ];
    // An API token without a username is none: the command is asked.
    const env = { GW_LISTEN_PASSWORD: PASSWORD, GW_PROFILE: 'shop', MARK: 'seen' };
    expect(await gw([...set, '--credential-command', command], { home, env })).toMatchObject({
      code: 0,
    });
    const card = ['--card-number', CARD, '--card-holder', 'Ada', '--card-expiry', '05/2099'];
    await gw(['purchase', 'create', ...card, '--amount', '100', '--debug'], { home, env });
    expect(server.requests).toHaveLength(1);
    const given = readFileSync(dump, 'utf8');
    expect(given).toContain('MARK=seen');
    for (const secret of [CARD, PASSWORD, TOKEN]) expect(given).not.toContain(secret);
  });
});
