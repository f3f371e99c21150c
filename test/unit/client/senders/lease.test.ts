/** The lease of a request is asked when its connection stands: one that ends meanwhile sends nothing. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createPooledSender } from '../../../../src/client/senders/pooled.ts';
import { HeldBack, type WireRequest } from '../../../../src/client/senders/sender.ts';
import { bundle } from '../../../helpers/bundle.ts';
import { ENVELOPE } from '../../../helpers/calls.ts';
import { createAuthority } from '../../../helpers/certificates.ts';
import { answer, type Behaviour, hostileServer } from '../../../helpers/hostile-server.ts';
import { run } from '../../../helpers/run.ts';
import { SENDERS, unlimited } from '../../../helpers/senders.ts';
import { havePrograms } from '../../../helpers/skip.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const says: Behaviour = { onRequest: (socket) => socket.write(answer(200, ENVELOPE)) };
const POST = (url: URL): WireRequest => ({ method: 'POST', url, headers: {}, body: '{}' });

describe.skipIf(!havePrograms('openssl')).each([
  ['single', 1],
  ['pooled', 2],
])('over %s', (_, inFlight) => {
  let program: string;
  beforeAll(async () => {
    program = await bundle('test/unit/client/senders/program.ts');
  });

  test.each([
    ['ends before the handshake is not sent', true],
    ['continues is sent', false],
  ])('a request whose lease %s', async (_, ends) => {
    const directory = temporaryDirectory();
    const over = path.join(directory, 'over');
    const authority = createAuthority(directory);
    const server = await hostileServer(says, { tls: authority.issue('127.0.0.1') });
    // The greeting of TLS is held back until the lease is over.
    const url = await stalled(server.port, () => {
      if (ends) writeFileSync(over, '');
    });
    const { stdout } = await run(
      process.execPath,
      [program, JSON.stringify({ url, inFlight, over })],
      { env: { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: authority.file } },
    );
    expect(server.connections).toBe(1);
    expect(JSON.parse(stdout)).toEqual(
      ends
        ? { lost: 'the time in which it may be sent was over', sent: false }
        : { status: 200, body: ENVELOPE },
    );
    expect(server.requests).toHaveLength(ends ? 0 : 1);
    expect(server.received === '').toBe(ends);
  });
});

describe.each(SENDERS)('over %s without TLS', (_, openSender) => {
  test('the lease is checked once, and no byte is sent after it ends', async () => {
    const server = await hostileServer(says);
    const sender = await openSender();
    let asked = 0;
    const sending = sender.send(POST(server.url), {
      ...unlimited(),
      mayLeave: () => {
        asked++;
        return false;
      },
    });
    await expect(sending).rejects.toBeInstanceOf(HeldBack);
    await sender.close();
    expect(asked).toBe(1);
    expect(server.received).toBe('');
  });
});

test('each request checks its lease on an open connection, and later requests are sent', async () => {
  const server = await hostileServer(says);
  const sender = await createPooledSender({ connections: 1, env: {} });
  const send = (isOurs: boolean) =>
    sender.send(
      { ...POST(server.url), body: `${isOurs}` },
      { ...unlimited(), mayLeave: () => isOurs },
    );
  const outcomes = await Promise.allSettled([send(true), send(false), send(true)]);
  await sender.close();
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(server.requests.map(({ body }) => body)).toEqual(['true', 'true']);
});

/** @returns the address of a link to a server that passes its first bytes on when `stall` has run */
async function stalled(port: number, stall: () => void): Promise<URL> {
  const link = net.createServer((near) => {
    near.once('data', (first) => {
      stall();
      const far = net.connect(port, '127.0.0.1', () => {
        far.write(first);
        near.pipe(far).pipe(near);
      });
      for (const socket of [near, far]) socket.on('error', () => undefined);
    });
  });
  link.listen(0, '127.0.0.1');
  await once(link, 'listening');
  onTestFinished(() => void link.close());
  return new URL(`https://127.0.0.1:${(link.address() as AddressInfo).port}`);
}
