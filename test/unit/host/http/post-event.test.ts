/** One attempt to deliver, to a real server on a real socket. */
import { once } from 'node:events';
import { createServer as createTcpServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type DeliveryPolicy,
  type DeliveryRequest,
  DeliverySender,
  forwardPolicy,
} from '../../../../src/host/http/post-event.ts';
import { briefReason } from '../../../../src/host/http/transport-reason.ts';
import { openReceiver } from '../../emulator/support-billing.ts';

const LOCAL = new URL('http://127.0.0.1/');
const never = new AbortController().signal;
const BODY = JSON.stringify({ event: 'x', payload: [{}] });

function openSender(change: Partial<DeliveryPolicy> = {}) {
  const sender = new DeliverySender({ ...forwardPolicy(LOCAL), ...change });
  onTestFinished(() => sender.close());
  return (url: string, more: Partial<DeliveryRequest> = {}, signal: AbortSignal = never) =>
    sender.send({ url: new URL(url), headers: [], body: BODY, ...more }, signal);
}

describe('what counts as accepted', () => {
  test.each([
    [200, true],
    [204, true],
    [299, true],
    [302, false],
    [400, false],
    [503, false],
  ])('%d: %s', async (status, isTaken) => {
    const { url, received } = await openReceiver((_, response) =>
      response.writeHead(status, { location: '/elsewhere' }).end(),
    );
    const reason = isTaken ? '' : `answered ${status}`;
    expect(await openSender()(url)).toEqual({ isTaken, status, reason });
    expect(received).toHaveLength(1);
  });

  test('is the status alone, even if the rest of the answer is lost', async () => {
    const { url } = await openReceiver((_, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('a', () => response.destroy());
    });
    expect(await openSender()(url)).toEqual({ isTaken: true, status: 200, reason: '' });
  });
});

test('a status counts even if the answer never ends', async () => {
  const { url } = await openReceiver((_, response) => response.writeHead(200).write('a'));
  let attempt: Awaited<ReturnType<DeliverySender['send']>> | undefined;
  // On a busy machine the status itself may be too late; then there is more time.
  for (let timeoutMs = 50; attempt?.status === undefined && timeoutMs < 20_000; timeoutMs *= 4)
    attempt = await openSender({ timeoutMs })(url);
  expect(attempt).toMatchObject({ isTaken: true, status: 200 });
});

describe('a delivery without an answer', () => {
  test('fails after the time limit', async () => {
    const { url } = await openReceiver(() => undefined);
    expect(await openSender({ timeoutMs: 50 })(url)).toEqual({
      isTaken: false,
      status: undefined,
      reason: 'no answer within 0.05 s',
    });
  });

  // Without a limit of its own it would end with undici's, after 10 s.
  test('fails after the time limit without a connection', { timeout: 9_000 }, async () => {
    // It takes the connection, and says nothing of TLS.
    const silent = createTcpServer(() => undefined);
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as { port: number };
    const { reason } = await openSender({ timeoutMs: 50 })(`https://127.0.0.1:${port}/`);
    expect(reason).toBe('no answer within 0.05 s');
  });

  test('fails with the sentence for its reason', async () => {
    const { url, close } = await openReceiver();
    await close();
    expect(await openSender()(url)).toMatchObject({ reason: 'the connection was refused' });
    expect(await openSender({ reasonOf: briefReason })(url)).toMatchObject({
      reason: 'connection refused',
    });
  });

  test('fails after an interruption', async () => {
    const stop = new AbortController();
    const { url } = await openReceiver(() => stop.abort());
    const interrupted = { isTaken: false, status: undefined, reason: 'it was interrupted' };
    const send = openSender();
    expect(await send(url, {}, stop.signal)).toEqual(interrupted);
    expect(await send(url, {}, stop.signal)).toEqual(interrupted);
  });

  test('fails for an unusable address', async () => {
    const { url, received } = await openReceiver();
    const broken = url.replace('http://', 'http://%zz:b@');
    expect(await openSender()(broken)).toMatchObject({ isTaken: false, reason: 'URI malformed' });
    expect(received).toEqual([]);
  });
});

describe('what is sent', () => {
  test('has the original headers, except those of a connection and credentials', async () => {
    const { url, received } = await openReceiver();
    const headers = [
      ['X-Service-Mode', 'Sandbox'],
      ['X-Twice', 'a'],
      ['X-Twice', 'b'],
      ['Authorization', 'Basic eDp5'],
      ['Cookie', 'id=1'],
      ['Host', 'elsewhere'],
      ['Content-Length', '1'],
      ['Transfer-Encoding', 'chunked'],
    ] as const;
    await openSender()(url, { headers });
    expect(received[0]?.headers).toEqual({
      'x-service-mode': 'Sandbox',
      'x-twice': 'a, b',
      host: new URL(url).host,
      connection: 'keep-alive',
      'content-length': String(BODY.length),
    });
    expect(received[0]?.body).toBe(BODY);
  });

  test('has only the username and password of the address', async () => {
    const { url, received } = await openReceiver();
    const headers = [['Authorization', 'Basic eDp5']] as const;
    await openSender()(url.replace('http://', 'http://us%40er:pass%20word@'), { headers });
    expect(received[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from('us@er:pass word').toString('base64')}`,
    );
  });
});

test.each([
  ['http://127.0.0.1:3000/', false],
  ['http://localhost/', false],
  ['https://hooks.example/', true],
])('an event for %s may use a proxy: %s', (target, usesProxies) => {
  expect(forwardPolicy(new URL(target)).usesProxies).toBe(usesProxies);
});
