import { expect, test } from 'vitest';
import { createInbox } from '../../../../src/events/receive/inbox.ts';
import { Failure } from '../../../../src/failure.ts';
import { settle } from '../support.ts';

function setUp(keep: (names: readonly string[]) => void = () => undefined) {
  const batches: number[] = [];
  const turns: (() => void)[] = [];
  let id = 0;
  const inbox = createInbox({
    keepAll: async (names: readonly string[]) => {
      keep(names);
      batches.push(names.length);
      return names.map(() => ++id);
    },
    atOnce: 1,
    turn: () => new Promise<void>((resolve) => turns.push(resolve)),
  });
  return { inbox, batches, turn: () => turns.shift()?.() };
}

test('what arrives in one turn is kept at once', async () => {
  const { inbox, batches, turn } = setUp();
  const kept = [1, 2, 3].map((n) => inbox.keep(`e${n}`));
  expect(batches).toEqual([]);
  turn();
  expect(await Promise.all(kept)).toEqual([1, 2, 3]);
  expect(batches).toEqual([3]);
});

test('a batch has a limit', async () => {
  const { inbox, batches, turn } = setUp();
  const kept = Array.from({ length: 1_100 }, () => inbox.keep('a'));
  for (let i = 0; i < 3; i++) {
    turn();
    await settle();
  }
  await Promise.all(kept);
  expect(batches).toEqual([512, 512, 76]);
});

test('one that cannot be kept does not take the others with it', async () => {
  const { inbox, turn } = setUp((names) => {
    if (names.includes('bad')) throw new Error('no room');
  });
  const kept = ['a', 'bad', 'b'].map((name) => inbox.keep(name));
  turn();
  const results = await Promise.allSettled(kept);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('where nothing can be kept, none is tried by itself', async () => {
  let tries = 0;
  const { inbox, turn } = setUp(() => {
    tries++;
    throw new Failure('guard', 'Away.', { code: 'file-moved', next: '' });
  });
  const kept = ['a', 'b', 'c'].map((name) => inbox.keep(name));
  turn();
  const results = await Promise.allSettled(kept);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(tries).toBe(1);
});

test('a second batch is begun while the first is under way, and no third', async () => {
  const asked: number[] = [];
  const ends: (() => void)[] = [];
  const inbox = createInbox({
    keepAll: (names: readonly string[]) => {
      asked.push(names.length);
      return new Promise<readonly string[]>((resolve) => ends.push(() => resolve(names)));
    },
    atOnce: 2,
    turn: async () => undefined,
  });
  const kept: Promise<unknown>[] = [];
  for (let n = 0; n < 4; n++) {
    kept.push(inbox.keep('a'));
    await settle();
  }
  expect(asked).toEqual([1, 1]);
  ends[0]?.();
  await settle();
  expect(asked).toEqual([1, 1, 2]);
  for (const end of ends) end();
  await Promise.all(kept);
});

test('many are shared out among the batches that may be under way, and few are not', async () => {
  const asked: number[] = [];
  const inbox = createInbox({
    keepAll: async (names: readonly string[]) => {
      asked.push(names.length);
      return names;
    },
    atOnce: 2,
    turn: async () => undefined,
  });
  const keep = (count: number) => Promise.all(Array.from({ length: count }, () => inbox.keep('a')));
  await keep(64);
  await keep(10);
  expect(asked).toEqual([32, 16, 16, 10]);
});
