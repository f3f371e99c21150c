/** Certificates: the machine's own and those of NODE_EXTRA_CA_CERTS are trusted, and nothing else. */
import { beforeAll, describe, expect, test } from 'vitest';
import { bundle } from '../../../helpers/bundle.ts';
import { ENVELOPE } from '../../../helpers/calls.ts';
import { type Authority, createAuthority } from '../../../helpers/certificates.ts';
import { answer, type Behaviour, hostileServer } from '../../../helpers/hostile-server.ts';
import { run } from '../../../helpers/run.ts';
import { havePrograms } from '../../../helpers/skip.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

let program: string;
beforeAll(async () => {
  program = await bundle('test/unit/client/senders/program.ts');
});

const says: Behaviour = { onRequest: (socket) => socket.write(answer(200, ENVELOPE)) };

describe.skipIf(!havePrograms('openssl')).each([
  ['single', 1],
  ['pooled', 2],
])('over %s', (_, inFlight) => {
  const exchange = async (url: URL, authority?: Authority) => {
    const env = { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: authority?.file };
    const { stdout, stderr } = await run(
      process.execPath,
      [program, JSON.stringify({ url, inFlight })],
      { env },
    );
    expect(stderr).toBe('');
    return JSON.parse(stdout) as unknown;
  };

  test('a gateway whose authority is in NODE_EXTRA_CA_CERTS gets the request', async () => {
    const authority = createAuthority(temporaryDirectory());
    const server = await hostileServer(says, { tls: authority.issue('127.0.0.1') });
    expect(await exchange(server.url, authority)).toEqual({ status: 200, body: ENVELOPE });
    expect(server.requests).toMatchObject([{ method: 'POST', body: '{"amount":2500}' }]);
  });

  test('a gateway with an unknown authority gets no byte', async () => {
    const authority = createAuthority(temporaryDirectory());
    const server = await hostileServer(says, { tls: authority.issue('127.0.0.1') });
    expect(await exchange(server.url)).toEqual({
      lost: expect.stringContaining('its certificate is not trusted'),
      sent: false,
    });
    expect(server.received).toBe('');
  });

  test('a gateway with the certificate of another host gets no byte', async () => {
    const authority = createAuthority(temporaryDirectory());
    const server = await hostileServer(says, { tls: authority.issue('gateway.example') });
    expect(await exchange(server.url, authority)).toEqual({
      lost: 'its certificate is for another host',
      sent: false,
    });
    expect(server.received).toBe('');
  });

  test('a gateway with an expired certificate gets no byte', async () => {
    const authority = createAuthority(temporaryDirectory());
    const server = await hostileServer(says, { tls: authority.issue('127.0.0.1', -1) });
    expect(await exchange(server.url, authority)).toEqual({
      lost: 'its certificate has expired',
      sent: false,
    });
    expect(server.received).toBe('');
  });

  test('a gateway that resets the connection after the handshake may have the request', async () => {
    const authority = createAuthority(temporaryDirectory());
    const behaviour: Behaviour = { onRequest: (socket) => socket.destroy() };
    const server = await hostileServer(behaviour, { tls: authority.issue('127.0.0.1') });
    expect(await exchange(server.url, authority)).toMatchObject({ sent: true });
    expect(server.requests).toHaveLength(1);
  });
});
