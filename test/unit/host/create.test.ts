import { getEventListeners } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClock, guardStream, trimVariables } from '../../../src/host/create.ts';

describe('the clock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-02-28T23:59:59Z') });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('the clock tells the time', () => {
    expect(createClock().now().toISOString()).toBe('2026-02-28T23:59:59.000Z');
  });

  test('the clock sleeps for the given time and leaves no listener', async () => {
    const { signal } = new AbortController();
    let isOver = false;
    const sleep = createClock()
      .sleep(1000, signal)
      .then(() => {
        isOver = true;
      });
    await vi.advanceTimersByTimeAsync(999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await sleep;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('the clock wakes with the reason of its signal', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const sleep = createClock().sleep(1000, controller.signal);
    controller.abort(reason);
    await expect(sleep).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
    await expect(createClock().sleep(1000, controller.signal)).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([2 ** 31, Number.NaN, Number.POSITIVE_INFINITY])(
    'the clock does not treat %d as a short time',
    (ms) => {
      expect(() => createClock().sleep(ms)).toThrow(RangeError);
    },
  );
});

test('a guarded stream hides secrets and reports writes as before', async () => {
  const stream = new PassThrough();
  guardStream(stream, (text) => text.replaceAll('secret', '***'));
  const bytes = Buffer.from([0xff, 0xfe, 0x00]);
  await new Promise((resolve) => stream.write('a secret,', resolve));
  await new Promise((resolve) => stream.write('a secret,', 'utf8', resolve));
  stream.write(Buffer.from('a secret,'));
  stream.end(bytes);
  expect(Buffer.concat(await stream.toArray())).toEqual(
    Buffer.concat([Buffer.from('a ***,a ***,a ***,'), bytes]),
  );
});

test("the ends of gw's variables and TZ are trimmed, and neither secrets nor others", () => {
  const env: NodeJS.ProcessEnv = {
    GW_PROFILE: 'shop\r',
    GW_BASE_URL: '\ufeffhttps://gateway.example.com\u200b',
    GW_OPERATOR: ' ada\u00a0',
    GW_PLAIN: '\r',
    TZ: 'Europe/London\r',
    GW_API_TOKEN: 'tok\r',
    GW_LISTEN_PASSWORD: ' pw',
    OTHER: ' x ',
    TZDIR: '/x ',
  };
  trimVariables(env);
  expect(env).toEqual({
    GW_PROFILE: 'shop',
    GW_BASE_URL: 'https://gateway.example.com',
    GW_OPERATOR: 'ada',
    GW_PLAIN: '',
    TZ: 'Europe/London',
    GW_API_TOKEN: 'tok\r',
    GW_LISTEN_PASSWORD: ' pw',
    OTHER: ' x ',
    TZDIR: '/x ',
  });
});
