import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClock } from '../../../src/host/clock.ts';

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

  test('the clock sleeps as long as it is told, and leaves no listener behind', async () => {
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

  test('the clock is woken by its signal, with the reason of that', async () => {
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
    'the clock does not take %d for a short time',
    (ms) => {
      expect(() => createClock().sleep(ms)).toThrow(RangeError);
    },
  );
});
