import { expect, test } from 'vitest';
import { MAX_ASKED_PAUSE_MS, Pace } from '../../../../../src/requests/batch/engine/pace.ts';
import { sleepingClock } from './support.ts';

function createPace(concurrency = 8, perSecond?: number) {
  const clock = sleepingClock();
  const stop = new AbortController();
  const told: number[] = [];
  const onPause = (ms: number) => void told.push(ms);
  const pace = new Pace({ clock, concurrency, perSecond, stopped: stop.signal, onPause });
  return { clock, stop, pace, told };
}

test('--rate sets the time between starts', async () => {
  const { clock, pace } = createPace(100, 4);
  for (let n = 0; n < 9; n++) await pace.enter();
  expect(clock.now().getTime()).toBe(2_000);
});

test('no line starts before the time that the gateway named, up to a limit', async () => {
  const { clock, pace } = createPace();
  pace.slowDown(7_000);
  await pace.enter();
  expect(clock.now().getTime()).toBe(7_000);
  pace.slowDown(24 * 60 * 60 * 1000);
  await pace.enter();
  expect(clock.now().getTime()).toBe(7_000 + MAX_ASKED_PAUSE_MS);
});

test('each pause is reported once, when it begins', async () => {
  const { clock, pace, told } = createPace();
  for (let n = 0; n < 5; n++) pace.slowDown(7_000);
  expect(told).toEqual([]);
  await Promise.all([pace.enter(), pace.enter()]);
  expect(told).toEqual([7_000]);
  pace.leave();
  pace.leave();
  pace.slowDown(MAX_ASKED_PAUSE_MS);
  await pace.enter();
  expect(told).toEqual([7_000, MAX_ASKED_PAUSE_MS]);
  expect(clock.now().getTime()).toBe(7_000 + MAX_ASKED_PAUSE_MS);
});

test('the time between starts is not a pause', async () => {
  const { pace, told } = createPace(100, 0.1);
  for (let n = 0; n < 3; n++) await pace.enter();
  expect(told).toEqual([]);
});

test('pauses double until a success', async () => {
  const { clock, pace } = createPace();
  const pauses: number[] = [];
  for (let n = 0; n < 7; n++) {
    const before = clock.now().getTime();
    pace.slowDown(undefined);
    await pace.enter();
    pace.leave();
    pauses.push(clock.now().getTime() - before);
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  pace.succeeded();
  const before = clock.now().getTime();
  pace.slowDown(undefined);
  await pace.enter();
  expect(clock.now().getTime() - before).toBe(1_000);
});

test('a busy gateway halves the requests in flight once, and successes restore them', () => {
  const { pace } = createPace(8);
  for (let n = 0; n < 5; n++) pace.slowDown(1_000);
  expect(pace.limit).toBe(4);
  for (let n = 0; n < 200; n++) pace.succeeded();
  expect(pace.limit).toBe(8);
});

test('lines that wait for the same time share one pause', async () => {
  const clock = sleepingClock();
  let sleeps = 0;
  const counting = {
    now: clock.now,
    sleep: (ms: number) => {
      sleeps++;
      return clock.sleep(ms);
    },
  };
  const pace = new Pace({
    clock: counting,
    concurrency: 100,
    perSecond: undefined,
    stopped: new AbortController().signal,
    onPause: () => undefined,
  });
  pace.slowDown(7_000);
  expect(await Promise.all(Array.from({ length: 40 }, () => pace.enter()))).toEqual(
    Array(40).fill(true),
  );
  expect(sleeps).toBe(1);
});

test('a stop ends all waits', async () => {
  const { stop, pace } = createPace(1);
  await pace.enter();
  const waiting = pace.enter();
  stop.abort();
  expect(await waiting).toBe(false);
});
