import { describe, expect, test } from 'vitest';
import { probe } from '../../../../src/client/senders/probe.ts';
import { createAuthority } from '../../../helpers/certificates.ts';
import { hostileServer } from '../../../helpers/hostile-server.ts';
import { havePrograms } from '../../../helpers/skip.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const never = new AbortController().signal;

describe('over plain http', () => {
  test('over plain http a server is reached, and nothing is sent', async () => {
    const server = await hostileServer({});
    expect(await probe(server.url, never)).toEqual({});
    expect(server.received).toBe('');
  });

  test('over plain http nobody is reached where nobody listens', async () => {
    const server = await hostileServer({});
    await server.close();
    await expect(probe(server.url, never)).rejects.toMatchObject({
      message: 'the connection was refused',
      sent: false,
    });
  });

  test('what was ended before it began is not reached', async () => {
    const server = await hostileServer({});
    await expect(probe(server.url, AbortSignal.abort(new Error('enough')))).rejects.toThrow(
      'enough',
    );
  });
});

describe.skipIf(!havePrograms('openssl'))('over TLS', () => {
  const shown = async (name: string, days?: number) => {
    const authority = createAuthority(temporaryDirectory());
    const server = await hostileServer({}, { tls: authority.issue(name, days) });
    const { tls } = await probe(server.url, never);
    expect(server.received).toBe('');
    return tls;
  };

  test('over TLS a certificate of an unknown authority is shown as one', async () => {
    expect(await shown('127.0.0.1')).toEqual({
      fault: expect.stringContaining('its certificate is not trusted'),
      expires: expect.any(Date),
    });
  });

  test('over TLS a server that never answers is given up', async () => {
    const server = await hostileServer({});
    const controller = new AbortController();
    const reached = probe(new URL(`https://127.0.0.1:${server.port}`), controller.signal);
    await expect.poll(() => server.connections).toBe(1);
    controller.abort(new DOMException('late', 'TimeoutError'));
    await expect(reached).rejects.toThrow('the time limit was reached');
  });
});
