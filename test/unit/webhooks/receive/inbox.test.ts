import { expect, test } from 'vitest';
import type { NewEvent } from '../../../../src/events/event-store.ts';
import { Failure } from '../../../../src/failure.ts';
import { createInbox } from '../../../../src/webhooks/receive/inbox.ts';
import { newEvent, settle } from '../support.ts';

function setUp(append: (events: readonly NewEvent[]) => void = () => undefined) {
  const batches: number[] = [];
  const turns: (() => void)[] = [];
  let id = 0;
  const inbox = createInbox(
    {
      append: async (events) => {
        append(events);
        batches.push(events.length);
        return events.map(() => ({ id: ++id, duplicateOf: null }));
      },
    },
    () => new Promise((resolve) => turns.push(resolve)),
  );
  return { inbox, batches, turn: () => turns.shift()?.() };
}

test('what arrives in one turn is kept at once', async () => {
  const { inbox, batches, turn } = setUp();
  const kept = [1, 2, 3].map((n) => inbox.keep(newEvent({ event: `e${n}` })));
  expect(batches).toEqual([]);
  turn();
  expect((await Promise.all(kept)).map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(batches).toEqual([3]);
});

test('a batch has a limit', async () => {
  const { inbox, batches, turn } = setUp();
  const kept = Array.from({ length: 1_100 }, () => inbox.keep(newEvent('{}')));
  for (let i = 0; i < 3; i++) {
    turn();
    await settle();
  }
  await Promise.all(kept);
  expect(batches).toEqual([512, 512, 76]);
});

test('one that cannot be kept does not take the others with it', async () => {
  const { inbox, turn } = setUp((events) => {
    if (events.some(({ event }) => event === 'bad')) throw new Error('no room');
  });
  const kept = ['a', 'bad', 'b'].map((event) => inbox.keep(newEvent({ event })));
  turn();
  const results = await Promise.allSettled(kept);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('where nothing can be kept, none is tried by itself', async () => {
  let tries = 0;
  const { inbox, turn } = setUp(() => {
    tries++;
    throw new Failure('guard', 'Away.', { code: 'ledger-unreachable', next: '' });
  });
  const kept = ['a', 'b', 'c'].map((event) => inbox.keep(newEvent({ event })));
  turn();
  const results = await Promise.allSettled(kept);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(tries).toBe(1);
});

test('a second batch is begun while the first is under way, and no third', async () => {
  const asked: number[] = [];
  const ends: (() => void)[] = [];
  const inbox = createInbox(
    {
      appendsAtOnce: 2,
      append: (events) => {
        asked.push(events.length);
        return new Promise((resolve) =>
          ends.push(() => resolve(events.map(() => ({ id: asked.length, duplicateOf: null })))),
        );
      },
    },
    async () => undefined,
  );
  const kept: Promise<unknown>[] = [];
  for (let n = 0; n < 4; n++) {
    kept.push(inbox.keep(newEvent('{}')));
    await settle();
  }
  expect(asked).toEqual([1, 1]);
  ends[0]?.();
  await settle();
  expect(asked).toEqual([1, 1, 2]);
  for (const end of ends) end();
  await Promise.all(kept);
});
