import { expect, test } from 'vitest';
import { backoffMs } from '../../../../src/base/backoff.ts';
import {
  FORWARD_BACKOFF,
  Forwarder,
  MAX_LANES_AT_ONCE,
} from '../../../../src/commands/listen/forwarder.ts';
import type { StoredEvent } from '../../../../src/events/event.ts';
import type { ForwardResult } from '../../../../src/events/store/append-events.ts';
import { manualClock, newEvent, settle } from '../../events/support.ts';

/** @param gone the events that are not in the store */
function setUp(answers: (id: number) => boolean | Promise<boolean>, gone = new Set<number>()) {
  const clock = manualClock();
  const sent: number[] = [];
  const marks: unknown[] = [];
  const settled: ForwardResult[] = [];
  const notices: string[] = [];
  let underWay = 0;
  let most = 0;
  const forwarder = new Forwarder({
    target: new URL('http://app/'),
    mark: 'this-listener',
    store: {
      find: async (id): Promise<StoredEvent | undefined> =>
        gone.has(id)
          ? undefined
          : {
              ...newEvent('{}'),
              body: Buffer.from(String(id)),
              id,
              duplicateOf: null,
              verification: null,
            },
      settleForward: async (result) => void settled.push(result),
    },
    sender: {
      async send({ body, headers }, signal) {
        marks.push(headers.at(-1));
        const id = Number(Buffer.from(body as Uint8Array).toString());
        sent.push(id);
        most = Math.max(most, ++underWay);
        const aborted = new Promise<boolean>((resolve) =>
          signal.addEventListener('abort', () => resolve(false), { once: true }),
        );
        const isTaken = await Promise.race([answers(id), aborted]);
        underWay--;
        return { isTaken, status: isTaken ? 200 : 500, reason: isTaken ? '' : 'answered 500' };
      },
    },
    clock,
    random: () => 1,
    notice: (text) => notices.push(text),
  });
  const add = (id: number, source: string) =>
    forwarder.add({ id, source, attempts: 0, isEarlier: false });
  return { forwarder, add, clock, sent, marks, settled, notices, most: () => most };
}

test('a forwarder keeps the order of a source and repeats an event until it is accepted', async () => {
  let isUp = false;
  const { add, clock, sent, settled, notices, forwarder } = setUp((id) => isUp || id > 2);
  add(1, 'a');
  add(2, 'a');
  add(3, 'b');
  await settle();
  expect(sent).toEqual([1, 3]);
  clock.pass();
  await settle();
  expect(sent).toEqual([1, 3, 1]);
  expect(forwarder.waiting).toBe(2);
  isUp = true;
  clock.pass();
  await settle();
  expect(sent).toEqual([1, 3, 1, 1, 2]);
  expect(settled.filter(({ state }) => state === 'done').map(({ id }) => id)).toEqual([3, 1, 2]);
  expect(settled.findLast(({ id }) => id === 1)).toMatchObject({ attempts: 3, error: null });
  expect(notices[0]).toContain('answered 500');
  expect(notices.at(-1)).toContain('is accepting events again');
  expect(forwarder.waiting).toBe(0);
});

test('a forwarder drops an event whose gateway started over, and goes on with the next', async () => {
  const gone = new Set<number>();
  const { add, clock, sent, settled, forwarder } = setUp((id) => id > 1, gone);
  add(1, 'a');
  add(2, 'a');
  await settle();
  gone.add(1);
  clock.pass();
  await settle();
  expect(sent).toEqual([1, 2]);
  expect(settled.filter(({ state }) => state === 'done').map(({ id }) => id)).toEqual([2]);
  expect(forwarder.waiting).toBe(0);
});

test('a forwarder accepts new events of a finished source', async () => {
  const { add, sent, forwarder } = setUp(() => true);
  add(1, 'a');
  await settle();
  add(2, 'a');
  await settle();
  expect(sent).toEqual([1, 2]);
  expect(forwarder.waiting).toBe(0);
});

test('a forwarder doubles its pauses up to a minute', () => {
  const pauses = [0, 1, 2, 7, 99].map((repeat) => backoffMs(repeat, FORWARD_BACKOFF, () => 1));
  expect(pauses).toEqual([500, 1_000, 2_000, 60_000, 60_000]);
  expect(backoffMs(0, FORWARD_BACKOFF, () => 0)).toBe(250);
});

test('a forwarder limits the sources that send at the same time', async () => {
  const open: (() => void)[] = [];
  const { add, most, sent } = setUp(() => new Promise((resolve) => open.push(() => resolve(true))));
  for (let id = 1; id <= 40; id++) add(id, `source ${id}`);
  await settle();
  expect(most()).toBe(MAX_LANES_AT_ONCE);
  while (sent.length < 40 || open.length > 0) {
    open.shift()?.();
    await settle();
  }
  expect(most()).toBe(MAX_LANES_AT_ONCE);
});

test('a new event goes before the repeats of others that wait for their turn', async () => {
  const open: (() => void)[] = [];
  const { forwarder, add, sent } = setUp(
    () => new Promise((resolve) => open.push(() => resolve(true))),
  );
  for (let id = 1; id <= 40; id++)
    forwarder.add({ id, source: `source ${id}`, attempts: 3, isEarlier: true });
  add(41, 'source 41');
  await settle();
  open.shift()?.();
  await settle();
  expect(sent.at(-1)).toBe(41);
});

test('a closing forwarder waits for running requests and repeats none', async () => {
  let finish: (() => void) | undefined;
  const { add, forwarder, sent } = setUp((id) =>
    id === 1 ? new Promise((resolve) => (finish = () => resolve(true))) : false,
  );
  add(1, 'a');
  add(2, 'b');
  await settle();
  const closed = forwarder.close(5_000);
  await settle();
  finish?.();
  await closed;
  expect(sent).toEqual([1, 2]);
  expect(forwarder.waiting).toBe(1);
});

test('a closing forwarder ends requests that take too long', async () => {
  const { add, forwarder, clock, settled } = setUp(() => new Promise(() => undefined));
  add(1, 'a');
  await settle();
  const closed = forwarder.close(5_000);
  await settle();
  expect(clock.pauses()).toEqual([5_000]);
  clock.pass();
  await closed;
  expect(settled).toMatchObject([{ id: 1, state: 'waiting' }]);
});

test('a forwarder marks each event that it passes on', async () => {
  const { add, marks } = setUp(() => true);
  add(1, 'a');
  await settle();
  expect(marks).toEqual([['x-gw-forwarded', 'this-listener']]);
});
