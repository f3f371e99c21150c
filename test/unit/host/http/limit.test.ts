/** The end of an exchange: by its time limit or the program's interruption, whichever comes first. */
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { limitTo, startLimit } from '../../../../src/host/http/limit.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const FOREVER_MS = 600_000;

test('an interruption ends the limit with its reason', () => {
  const controller = new AbortController();
  const { signal } = startLimit(controller.signal, FOREVER_MS);
  expect(signal.aborted).toBe(false);
  controller.abort('stop');
  expect(signal.reason).toBe('stop');
});

test('an earlier interruption ends the limit at once', () => {
  expect(startLimit(AbortSignal.abort('stop'), FOREVER_MS).signal.reason).toBe('stop');
});

test('the time limit ends the request with its own reason', async () => {
  const { signal } = startLimit(new AbortController().signal, 1);
  await once(signal, 'abort');
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('the time limit survives a garbage collection', async () => {
  const { signal } = startLimit(new AbortController().signal, 50);
  const ended = once(signal, 'abort');
  collectGarbage();
  await new Promise(setImmediate);
  collectGarbage();
  await ended;
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('a released limit never ends and holds nothing', () => {
  const controller = new AbortController();
  const limit = startLimit(controller.signal, FOREVER_MS);
  limit.release();
  controller.abort();
  expect(limit.signal.aborted).toBe(false);
});

test('one interruption ends many limits, except finished ones', () => {
  const controller = new AbortController();
  const limits = Array.from({ length: 30 }, () => startLimit(controller.signal, FOREVER_MS));
  limits[0]?.release();
  controller.abort('stop');
  expect(limits.map(({ signal }) => signal.reason)).toEqual([undefined, ...Array(29).fill('stop')]);
});

test('a limit without a signal ends its exchange once, and not after it was released', () => {
  const controller = new AbortController();
  const reasons: unknown[] = [];
  const release = limitTo(FOREVER_MS, controller.signal, (reason) =>
    reasons.push('released', reason),
  );
  limitTo(FOREVER_MS, controller.signal, (reason) => reasons.push(reason));
  release();
  controller.abort('stop');
  limitTo(FOREVER_MS, controller.signal, (reason) => reasons.push(reason))();
  expect(reasons).toEqual(['stop', 'stop']);
});
