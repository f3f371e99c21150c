import { expect, test } from 'vitest';
import { startTimeLimit } from '../../../src/client/time-limit.ts';

const HOUR_MS = 60 * 60 * 1000;

function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(signal.reason));
  });
}

test('the limit ends it', async () => {
  const limit = startTimeLimit(1, new AbortController().signal);
  expect(await aborted(limit.signal)).toMatchObject({ name: 'TimeoutError' });
});

test('an interruption ends all that follow it and are not over, with its reason', () => {
  const interruption = new AbortController();
  const limits = Array.from({ length: 30 }, () => startTimeLimit(HOUR_MS, interruption.signal));
  limits[0]?.close();
  interruption.abort('stop');
  expect(limits.map(({ signal }) => signal.reason)).toEqual([undefined, ...Array(29).fill('stop')]);
  expect(startTimeLimit(HOUR_MS, interruption.signal).signal.reason).toBe('stop');
});
