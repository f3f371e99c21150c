import { expect, test } from 'vitest';
import { startLimit } from '../../../src/client/limit.ts';

const HOUR_MS = 60 * 60 * 1000;

function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(signal.reason));
  });
}

test('the limit ends it', async () => {
  const limit = startLimit(new AbortController().signal, 1);
  expect(await aborted(limit.signal)).toMatchObject({ name: 'TimeoutError' });
});

test('an interruption ends all that follow it and are not over, with its reason', () => {
  const interruption = new AbortController();
  const limits = Array.from({ length: 30 }, () => startLimit(interruption.signal, HOUR_MS));
  limits[0]?.release();
  interruption.abort('stop');
  expect(limits.map(({ signal }) => signal.reason)).toEqual([undefined, ...Array(29).fill('stop')]);
  expect(startLimit(interruption.signal, HOUR_MS).signal.reason).toBe('stop');
});
