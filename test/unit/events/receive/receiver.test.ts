/** A real server on a real socket, with time limits of milliseconds. */
import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Delivery } from '../../../../src/events/event.ts';
import { type ReceiverOptions, startReceiver } from '../../../../src/events/receive/receiver.ts';
import { createClock } from '../../../../src/host/create.ts';
import { post } from '../../../helpers/listener.ts';

async function receiver(change: Partial<ReceiverOptions> = {}) {
  const deliveries: Delivery[] = [];
  const refused: [number, string][] = [];
  const running = await startReceiver({
    host: '127.0.0.1',
    port: 0,
    path: '/',
    credentials: undefined,
    isKnown: () => false,
    delayMs: 0,
    headersTimeoutMs: 10_000,
    requestTimeoutMs: 10_000,
    clock: createClock(),
    accept: async (delivery) => {
      deliveries.push(delivery);
      return 200;
    },
    onRefused: (...refusal) => refused.push(refusal),
    ...change,
  });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= running.close();
    return closed;
  };
  onTestFinished(close);
  return { url: running.url, close, deliveries, refused };
}

async function answerTo(url: URL, text: string): Promise<string> {
  const socket = connect(Number(url.port), url.hostname);
  let answer = '';
  socket.on('data', (data) => {
    answer += data;
  });
  socket.on('error', () => undefined);
  socket.write(text);
  await new Promise((resolve) => socket.once('close', resolve));
  return answer.split('\r\n')[0] ?? '';
}

test.each([
  ['a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{'],
  ['headers', 'POST / HTTP/1.1\r\nHo'],
])('%s that arrive too slowly are refused', async (_, text) => {
  const told: unknown[] = [];
  // On a busy machine the first bytes are too late themselves; then there is more time.
  for (let limitMs = 100; told.length === 0 && limitMs < 20_000; limitMs *= 4) {
    const limits = { headersTimeoutMs: limitMs, requestTimeoutMs: limitMs };
    const { url, deliveries, refused } = await receiver(limits);
    const answer = await answerTo(url, text);
    expect(deliveries).toEqual([]);
    if (answer !== '') told.push(answer, ...refused);
  }
  expect(told).toEqual(['HTTP/1.1 408 Request Timeout', [408, 'that took too long']]);
});

test('a sender that disconnects is reported', async () => {
  const told = new EventEmitter();
  const { url, deliveries } = await receiver({
    onRefused: (...refusal) => told.emit('refused', ...refusal),
  });
  const socket = connect(Number(url.port), url.hostname);
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n{');
  // It is asked to go on when its headers have been read.
  await once(socket, 'data');
  const refused = once(told, 'refused');
  socket.destroy();
  expect(await refused).toEqual([400, expect.any(String)]);
  await post(url, '{}');
  expect(deliveries).toHaveLength(1);
});

test('a reset between two requests ends no request', async () => {
  const { url, deliveries, refused } = await receiver();
  const socket = connect(Number(url.port), url.hostname);
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}');
  await once(socket, 'data');
  socket.resetAndDestroy();
  await post(url, '{}');
  expect(deliveries).toHaveLength(2);
  expect(refused).toEqual([]);
});

test('a delivery that cannot be stored is refused, so that it is repeated', async () => {
  const { url, refused } = await receiver({
    accept: async () => {
      throw new Error('disk full');
    },
  });
  const { status, headers } = await post(url, '{}');
  expect([status, headers['retry-after']]).toEqual([503, '1']);
  expect(refused).toEqual([[503, 'that could not be stored (disk full)']]);
});

test('closing waits for accepted deliveries and accepts no more', async () => {
  let keep: (status: number) => void = () => undefined;
  let arrived: () => void = () => undefined;
  const isHere = new Promise<void>((resolve) => (arrived = resolve));
  const { url, close } = await receiver({
    accept: () => {
      arrived();
      return new Promise((resolve) => (keep = resolve));
    },
  });
  const answer = post(url, '{}');
  await isHere;
  const closed = close();
  await expect(post(url, '{}')).rejects.toThrow('ECONNREFUSED');
  keep(200);
  expect(await answer).toMatchObject({ status: 200, headers: { connection: 'close' } });
  await closed;
});

test('a receiver passes headers on unchanged', async () => {
  const { url, deliveries } = await receiver();
  await post(url, '{}', { headers: { 'X-ODD-Case': 'a, b' } });
  const raw = deliveries[0]?.rawHeaders ?? [];
  expect(raw[raw.indexOf('X-ODD-Case') + 1]).toBe('a, b');
});

test('a receiver accepts only the right password', async () => {
  const credentials = { username: 'hooks', password: 'söcret:1' };
  const { url } = await receiver({ credentials });
  const basic = (text: string) => ({
    Authorization: `Basic ${Buffer.from(text).toString('base64')}`,
  });
  const statuses = await Promise.all(
    [{}, basic('hooks:söcret:1'), basic('hooks:söcret'), { Authorization: 'Bearer x' }].map(
      async (headers) => (await post(url, '{}', { headers: { ...headers } })).status,
    ),
  );
  expect(statuses).toEqual([401, 200, 401, 401]);
});

test('a body over the limit is known by the digest of all of it, even if it is cut off', async () => {
  const { url, deliveries } = await receiver({
    accept: async (one) => deliveries.push(one) && 413,
  });
  const large = (end: string, size = 1024 * 1024) => 'x'.repeat(size) + end;
  for (const body of [large('a'), large('a'), large('b'), large('', 1024 * 1024)])
    await post(url, body);
  for (const end of ['a', 'a']) await post(url, large(end, 9 * 1024 * 1024)).catch(() => undefined);
  const [a, same, b, fits, ...cut] = deliveries;
  expect(a).toMatchObject({ isTooLong: true, body: new Uint8Array() });
  expect(same?.digest).toBe(a?.digest);
  expect(b?.digest).not.toBe(a?.digest);
  expect([fits?.isTooLong, fits?.digest, fits?.body.length]).toEqual([
    false,
    undefined,
    1024 * 1024,
  ]);
  expect(new Set(cut.map(({ digest }) => digest)).size).toBe(2);
});
