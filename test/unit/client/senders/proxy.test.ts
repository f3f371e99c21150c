/** The proxies of the environment, met over real sockets. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { createPooledSender } from '../../../../src/client/senders/pooled.ts';
import { hasProxies, proxiesOf } from '../../../../src/client/senders/proxy.ts';
import { bundle } from '../../../helpers/bundle.ts';
import { CALLS, ENVELOPE } from '../../../helpers/calls.ts';
import { createAuthority } from '../../../helpers/certificates.ts';
import { createTestClient } from '../../../helpers/client.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { answer, CLOSED_ADDRESS, hostileServer } from '../../../helpers/hostile-server.ts';
import { connectProxy, type OnConnect, tunnelTo } from '../../../helpers/proxy.ts';
import { run } from '../../../helpers/run.ts';
import { unlimited } from '../../../helpers/senders.ts';
import { havePrograms } from '../../../helpers/skip.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';
import { timeLimitOnDemand } from '../../../helpers/time-limit.ts';

const GATEWAY = new URL('https://gateway.test');

let program: string;
beforeAll(async () => {
  program = await bundle('test/unit/client/senders/program.ts');
});

describe.skipIf(!havePrograms('openssl'))('a request through a proxy', () => {
  /** A gateway that only the proxy finds. */
  async function beyondProxy() {
    const authority = createAuthority(temporaryDirectory());
    const gateway = await hostileServer(
      { onRequest: (socket) => socket.write(answer(200, ENVELOPE)) },
      { tls: authority.issue('gateway.test') },
    );
    const proxy = await connectProxy(tunnelTo(gateway.port));
    const exchange = async (env: Record<string, string>) => {
      const { stdout, stderr } = await run(
        process.execPath,
        [program, JSON.stringify({ url: GATEWAY, inFlight: 1 })],
        { env: { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: authority.file, ...env } },
      );
      expect(stderr).toBe('');
      return JSON.parse(stdout) as unknown;
    };
    return { gateway, proxy, exchange };
  }
  const done = { status: 200, body: ENVELOPE };

  test.each(['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY'])('uses the proxy of %s', async (name) => {
    const { gateway, proxy, exchange } = await beyondProxy();
    expect(await exchange({ [name]: proxy.url.href })).toEqual(done);
    expect(gateway.requests).toHaveLength(1);
    expect(proxy.requests).toMatchObject([{ method: 'CONNECT', target: 'gateway.test:443' }]);
  });

  test('uses a proxy that is named without its scheme', async () => {
    const { proxy, exchange } = await beyondProxy();
    expect(await exchange({ HTTPS_PROXY: proxy.url.host })).toEqual(done);
  });

  test("shows the proxy only the proxy's own password", async () => {
    const { proxy, exchange } = await beyondProxy();
    const url = new URL(proxy.url);
    url.username = 'me';
    url.password = 'pass';
    await exchange({ HTTPS_PROXY: url.href });
    const { headers } = proxy.requests[0]!;
    expect(headers['proxy-authorization']).toBe('Basic bWU6cGFzcw==');
    expect(headers.authorization).toBeUndefined();
    expect(proxy.received).not.toContain('secret');
  });

  test.each(['gateway.test', '.test', '*', 'other.test, gateway.test:443'])(
    'bypasses it with NO_PROXY=%s',
    async (noProxy) => {
      const { proxy, exchange } = await beyondProxy();
      const env = { HTTPS_PROXY: proxy.url.href, NO_PROXY: noProxy };
      expect(await exchange(env)).toMatchObject({ lost: expect.any(String), sent: false });
      expect(proxy.connections).toBe(0);
    },
  );

  test('is not sent if the variable names no proxy', async () => {
    const { exchange } = await beyondProxy();
    expect(await exchange({ HTTPS_PROXY: 'socks5://me:pass@127.0.0.1:1080' })).toEqual({
      refused: 'HTTPS_PROXY is not a proxy address that gw can use.',
    });
  });
});

describe('a proxy that', () => {
  let reachLimit: () => void;
  const says =
    (text: string): OnConnect =>
    (socket) =>
      socket.write(text);
  const BAD: [what: string, onConnect: OnConnect, message: string][] = [
    [
      'wants credentials',
      says('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n'),
      'the proxy answered 407',
    ],
    ['permits nothing', says(answer(403, 'Forbidden')), 'the proxy answered 403'],
    ['does not find the gateway', says(answer(502)), 'the proxy answered 502'],
    ['hangs up', (socket) => socket.end(), 'the proxy cannot be used'],
    ['resets the connection', (socket) => socket.resetAndDestroy(), 'the proxy cannot be used'],
    ['speaks something else', says('SSH-2.0-OpenSSH\r\n\r\n'), 'the proxy cannot be used'],
    ['never answers', () => reachLimit(), 'the time limit was reached'],
    [
      'tunnels to something that is no gateway',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.end('hello');
      },
      '',
    ],
  ];

  test.each(BAD)('%s stops a money request before it is sent', async (_, onConnect, message) => {
    const proxy = await connectProxy(onConnect);
    const { failure, losses } = await pay({ HTTPS_PROXY: proxy.url.href });
    expect(failure).toMatchObject({ kind: 'notReached', exitCode: 7 });
    expect(failure.message).toContain(message);
    expect(losses.map(({ sent }) => sent)).toEqual([false]);
    expect(proxy.requests).toHaveLength(1);
    expect(proxy.received).not.toContain('authorization');
  });

  test('is unreachable stops a money request before it is sent', async () => {
    const { href } = CLOSED_ADDRESS;
    const { failure } = await pay({ HTTPS_PROXY: href });
    expect(failure.kind).toBe('notReached');
    expect(failure.message).toContain('the proxy cannot be used: the connection was refused');
  });

  test('never answers does not delay an interruption', async () => {
    const controller = new AbortController();
    const proxy = await connectProxy(() => controller.abort());
    const { failure } = await pay({ HTTPS_PROXY: proxy.url.href }, controller.signal);
    expect(failure.kind).toBe('interrupted');
  });

  test('answers too late gets no request', async () => {
    const controller = new AbortController();
    let tunnel: Socket | undefined;
    const proxy = await connectProxy((socket) => {
      tunnel = socket;
      controller.abort();
    });
    const sender = await createPooledSender({
      connections: 1,
      env: { HTTP_PROXY: proxy.url.href },
    });
    const request = {
      method: 'POST',
      url: new URL('http://gateway.test'),
      headers: {},
      body: '{}',
    };
    await expect(
      sender.send(request, { ...unlimited(), interrupted: controller.signal }),
    ).rejects.toMatchObject({ sent: false });
    const before = proxy.received;
    tunnel!.write('HTTP/1.1 200 OK\r\n\r\n');
    await once(tunnel!, 'close');
    expect(proxy.received).toBe(before);
    await sender.close();
  });

  async function pay(env: Record<string, string>, interrupted?: AbortSignal) {
    reachLimit = timeLimitOnDemand();
    const { client, losses } = createTestClient({
      baseUrl: GATEWAY,
      sender: await createPooledSender({ connections: 1, env }),
      ...(interrupted ? { interrupted } : {}),
    });
    const failure = await failureOf(() => client.call(...CALLS.money));
    await client.close();
    return { failure, losses };
  }
});

test('requests to a gateway on this machine never use a proxy', async () => {
  const proxy = await hostileServer({});
  const gateway = await hostileServer({
    onRequest: (socket) => socket.write(answer(200, ENVELOPE)),
  });
  const { client } = createTestClient({
    baseUrl: gateway.url,
    sender: await createPooledSender({ connections: 1, env: { HTTP_PROXY: proxy.url.href } }),
  });
  await client.call(...CALLS.money);
  await client.close();
  expect(proxy.connections).toBe(0);
  expect(gateway.requests).toHaveLength(1);
});

describe('the environment', () => {
  test.each([
    [{}, false],
    [{ HTTPS_PROXY: '' }, false],
    [{ NO_PROXY: '*' }, false],
    [{ HTTPS_PROXY: 'http://proxy' }, true],
    [{ http_proxy: 'http://proxy' }, true],
  ])('%j has proxies: %s', (env, expected) => {
    expect(hasProxies(env)).toBe(expected);
  });

  test('prefers the variables in small letters', () => {
    const env = { https_proxy: 'http://small', HTTPS_PROXY: 'http://capital' };
    expect(proxiesOf(env)).toEqual({ httpProxy: '', httpsProxy: 'http://small', noProxy: '' });
  });

  test.each(['socks5://x', 'http://', 'http://a b', 'ftp://x', '::'])(
    'that names %s is refused, and the message does not repeat it',
    async (address) => {
      const failure = await failureOf(() => proxiesOf({ HTTPS_PROXY: address }));
      expect(failure.kind).toBe('usage');
      expect(failure.message).not.toContain(address);
    },
  );
});
