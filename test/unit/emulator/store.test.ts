/** The random numbers of a store, what a transaction has written, and the times of its clock. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Seed } from '../../../src/emulator/seed.ts';
import { openState } from '../../../src/emulator/state.ts';
import type { Store } from '../../../src/emulator/store.ts';
import { testClock } from './support.ts';

let store: Store;
beforeEach(() => {
  store = openState({ path: ':memory:', clock: testClock() });
});
afterEach(() => store.close());

const draw = (from: Store, count: number) =>
  from.write((tx) => Array.from({ length: count }, () => tx.random('plans')));

test('random numbers follow from the seed and continue after the last transaction', () => {
  const drawn = [...draw(store, 2), ...draw(store, 1), ...draw(store, 2)];
  expect(new Set(drawn).size).toBe(5);
  const same = openState({ path: ':memory:', clock: testClock() });
  expect(draw(same, 5)).toEqual(drawn);
  same.close();
});

test('random numbers of an undone transaction are drawn again', () => {
  let lost: bigint | undefined;
  const failed = () =>
    store.write((tx) => {
      lost = tx.random('plans');
      throw new Error('undone');
    });
  expect(failed).toThrow('undone');
  expect(draw(store, 1)).toEqual([lost]);
});

describe('the time at which a request was made, by the gateway', () => {
  const minutes = (n: number) => n * 60_000;

  test.each([
    ['ahead', '2030-01-01T00:00:00Z'],
    ['behind', '2012-06-01T00:00:00Z'],
  ])('a clock that is %s, before and after it was moved', (_, start) => {
    const clock = testClock();
    const moved = openState({ path: ':memory:', clock, time: new Date(start) });
    const requests: [outer: Date, own: Date][] = [];
    for (const days of [1, 0, 30]) {
      clock.time = new Date(clock.time.getTime() + minutes(5));
      requests.push([clock.now(), moved.read((tx) => tx.now)]);
      clock.time = new Date(clock.time.getTime() + minutes(5));
      moved.write((tx) => tx.moveTo(new Date(tx.now.getTime() + days * minutes(24 * 60))));
    }
    for (const [outer, own] of requests) expect(moved.read((tx) => tx.timeAt(outer))).toEqual(own);
    moved.close();
  });

  test('a clock that stands still, before and after it was moved', () => {
    const clock = testClock();
    const seed = { start: '2012-06-01T00:00:00Z' } as Seed;
    const still = openState({ path: ':memory:', clock, seed });
    const before = clock.now();
    clock.time = new Date(before.getTime() + minutes(5));
    still.write((tx) => tx.moveTo(new Date('2012-07-01')));
    clock.time = new Date(before.getTime() + minutes(10));
    const at = (outer: Date) => still.read((tx) => tx.timeAt(outer).toISOString().slice(0, 10));
    expect([at(before), at(clock.now())]).toEqual(['2012-06-01', '2012-07-01']);
    still.close();
  });
});
