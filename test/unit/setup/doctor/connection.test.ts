import { describe, expect, test } from 'vitest';
import { checkReachability, expiryFinding } from '../../../../src/setup/doctor/connection.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { hostileServer } from '../../../helpers/hostile-server.ts';

const NOW = new Date('2026-03-10T09:30:00Z');
const url = new URL('https://gateway.example');
const inDays = (days: number) => new Date(NOW.getTime() + days * 86_400_000);
const expiry = (expires: Date | undefined) =>
  expiryFinding(url, { fault: undefined, expires }, NOW);
const check = (baseUrl: URL, env = {}) =>
  checkReachability({ name: 'shop', baseUrl }, createTestHost({ env }));

describe('a certificate', () => {
  test('a certificate that is good for a while is said with its day', () => {
    expect(expiry(inDays(31))).toEqual({
      state: 'ok',
      message: 'its certificate is trusted until 2026-04-10',
    });
    expect(expiry(undefined)).toMatchObject({ state: 'ok' });
  });

  test('a certificate that expires within 30 days is a warning', () => {
    expect(expiry(inDays(29.9))).toMatchObject({
      state: 'warning',
      next: expect.stringContaining('`openssl s_client -connect gateway.example:443'),
    });
  });
});

describe('reachability', () => {
  test('a server that is there is reached, over plain http to this machine', async () => {
    const server = await hostileServer({});
    const { reachability, tls } = await check(server.url);
    expect([reachability.state, tls?.state]).toEqual(['ok', 'ok']);
    expect(server.received).toBe('');
  });

  test('a port where nobody listens is not reached', async () => {
    const server = await hostileServer({});
    await server.close();
    expect(await check(server.url)).toMatchObject({
      reachability: {
        state: 'failed',
        kind: 'notReached',
        message: `127.0.0.1:${server.port} cannot be reached: the connection was refused.`,
        next: expect.stringContaining('`gw profile show shop`'),
      },
      tls: undefined,
    });
  });

  test('a server that does not speak TLS is not reached', async () => {
    const server = await hostileServer({ onConnection: (socket) => socket.end('hello\r\n') });
    const { reachability } = await check(new URL(`https://127.0.0.1:${server.port}`));
    expect(reachability).toMatchObject({ state: 'failed', kind: 'notReached' });
  });

  test('a gateway behind a proxy is left to what is asked of it', async () => {
    const { reachability } = await check(url, { HTTPS_PROXY: 'http://127.0.0.1:1' });
    expect(reachability.message).toContain('through the proxy');
  });
});
