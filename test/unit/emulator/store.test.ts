/** The random numbers of a store, and what a transaction has written. */
import { afterEach, beforeEach, expect, test } from 'vitest';
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
