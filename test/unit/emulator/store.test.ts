/** What a transaction of the store counts. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openState } from '../../../src/emulator/state.ts';
import type { Store } from '../../../src/emulator/store.ts';
import { testClock } from './support.ts';

let store: Store;
beforeEach(() => {
  store = openState({ path: ':memory:', clock: testClock() });
});
afterEach(() => store.close());

const take = (...kinds: string[]) => store.write((tx) => kinds.map((kind) => tx.next(kind)));

test('each sequence goes on where the transaction before left it', () => {
  expect(take('a', 'a', 'b')).toEqual([1, 2, 1]);
  expect(take('b', 'a', 'c')).toEqual([2, 3, 1]);
});

test('numbers of a transaction that is undone are taken again', () => {
  take('a');
  const failed = () =>
    store.write((tx) => {
      tx.next('a');
      throw new Error('undone');
    });
  expect(failed).toThrow('undone');
  expect(take('a')).toEqual([2]);
});

test('whatever writes is counted, and nothing else', () => {
  store.write((tx) => {
    const counted = (work: () => unknown) => {
      const before = tx.writes;
      work();
      return tx.writes - before;
    };
    expect(counted(() => tx.get('SELECT 1 FROM merchants'))).toBe(0);
    expect(counted(() => tx.all('SELECT 1 FROM merchants'))).toBe(0);
    expect(counted(() => tx.next('a'))).toBe(1);
    expect(counted(() => tx.insert('counters', { kind: 'b', last: 1 }))).toBe(1);
    expect(counted(() => tx.update('counters', { last: 2 }, { kind: 'b' }))).toBe(1);
    expect(counted(() => tx.run('DELETE FROM counters WHERE kind = ?', 'b'))).toBe(1);
    expect(counted(() => tx.setDialect('strict'))).toBe(1);
  });
});
