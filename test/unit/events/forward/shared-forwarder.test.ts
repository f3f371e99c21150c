/** A forwarder whose sources are leased, with a ledger in memory and a clock that is moved. */
import { expect, onTestFinished, test } from 'vitest';
import { SharedForwarder } from '../../../../src/events/forward/shared-forwarder.ts';
import type { ForwardClaim, ForwardResult } from '../../../../src/events/store/event-store.ts';
import { Failure } from '../../../../src/failure.ts';
import { newEvent, settle } from '../support.ts';

const HELD_MS = 12_000;
const away = () => Promise.reject(new Failure('guard', 'Away.', { code: 'ledger-lost', next: '' }));

/** Time passes when it is told to, and wakes whoever it is up for. */
function movedClock() {
  let now = 0;
  const sleepers = new Set<{ until: number; wake: () => void }>();
  return {
    now: () => new Date(now),
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const sleeper = { until: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
    async pass(ms: number) {
      now += ms;
      for (const sleeper of sleepers)
        if (sleeper.until <= now) {
          sleepers.delete(sleeper);
          sleeper.wake();
        }
      await settle();
    },
  };
}

/** @param answers whether the application takes an event, perhaps later */
function setUp(answers: (id: number) => boolean | Promise<boolean> = () => true) {
  const clock = movedClock();
  const waiting = new Map<number, string>();
  const sent: number[] = [];
  const claims: ForwardClaim[] = [];
  const told: string[] = [];
  const ledger = { isAway: false, isOthers: false, renewals: 0 };
  const forwarder = new SharedForwarder({
    target: new URL('http://app/'),
    clock,
    random: () => 1,
    notice: (text) => told.push(text),
    ledger: { failed: () => told.push('failed'), worked: () => undefined },
    store: {
      find: async (id) =>
        ledger.isAway
          ? away()
          : {
              ...newEvent('{}'),
              body: Buffer.from(String(id)),
              ...{ id, duplicateOf: null, verification: null },
            },
      settleForwards: async (results: readonly ForwardResult[]) => {
        if (ledger.isAway) return away();
        for (const { id, state } of results) if (state !== 'waiting') waiting.delete(id);
      },
    },
    leases: {
      heldMs: HELD_MS,
      async claim(claim) {
        if (ledger.isAway) return away();
        claims.push(claim);
        const free = [...waiting].filter(([, source]) => !claim.held.includes(source));
        return (ledger.isOthers ? [] : free)
          .slice(0, claim.limit)
          .map(([id, source]) => ({ id, source, attempts: 0, verification: null }));
      },
      async renew() {
        if (ledger.isAway) return away();
        ledger.renewals++;
        return !ledger.isOthers;
      },
    },
    sender: {
      async send({ body }, signal) {
        const id = Number(Buffer.from(body as Uint8Array).toString());
        sent.push(id);
        const cut = new Promise<boolean>((resolve) =>
          signal.addEventListener('abort', () => resolve(false), { once: true }),
        );
        const isTaken = await Promise.race([answers(id), cut]);
        if (signal.aborted) told.push(`cut ${id}`);
        return { isTaken, status: isTaken ? 200 : 500, reason: isTaken ? '' : 'answered 500' };
      },
    },
  });
  onTestFinished(async () => {
    const closed = forwarder.close(0);
    await settle();
    await clock.pass(0);
    await closed;
  });
  const keep = (id: number, source: string) => {
    waiting.set(id, source);
    forwarder.add();
  };
  return { forwarder, clock, keep, waiting, sent, claims, told, ledger };
}

test('what is kept is claimed at once and passed on, and its source let go of', async () => {
  const { keep, sent, waiting, claims } = setUp();
  await settle();
  keep(1, 'a');
  keep(2, 'a');
  keep(3, 'b');
  await settle();
  expect(sent.toSorted()).toEqual([1, 2, 3]);
  expect(waiting.size).toBe(0);
  expect(claims.flatMap(({ ended }) => ended).toSorted()).toEqual(['a', 'b']);
});

test('what others kept is asked for every second', async () => {
  const { clock, sent, waiting, claims } = setUp();
  await settle();
  waiting.set(1, 'a');
  await clock.pass(999);
  expect(claims).toHaveLength(1);
  await clock.pass(1);
  expect(sent).toEqual([1]);
});

test('what is held is held as long as it is renewed', async () => {
  const { clock, keep, sent, told, ledger } = setUp(() => new Promise(() => undefined));
  keep(1, 'a');
  await settle();
  for (let second = 0; second < 60; second++) await clock.pass(1_000);
  expect(ledger.renewals).toBe(15);
  expect(sent).toEqual([1]);
  expect(told).toEqual([]);
});

test('what cannot be renewed is cut off before others have it, and claimed again', async () => {
  const { clock, keep, sent, told, ledger } = setUp(() => new Promise(() => undefined));
  keep(1, 'a');
  await settle();
  ledger.isAway = true;
  await clock.pass(HELD_MS - 1);
  expect(told).not.toContain('cut 1');
  await clock.pass(1);
  expect(told.at(-1)).toBe('cut 1');
  await clock.pass(5_000);
  expect(sent).toEqual([1]);
  ledger.isAway = false;
  await clock.pass(1_000);
  expect(sent).toEqual([1, 1]);
});

test('what another one has by now is cut off', async () => {
  const { clock, keep, sent, told, ledger } = setUp(() => new Promise(() => undefined));
  keep(1, 'a');
  await settle();
  ledger.isOthers = true;
  for (let second = 0; second < 6; second++) await clock.pass(1_000);
  expect(told).toEqual(['cut 1']);
  expect(sent).toEqual([1]);
});

test('what was taken while the ledger was away is noted first, and not passed on again', async () => {
  let take: (isTaken: boolean) => void = () => undefined;
  const { clock, keep, waiting, sent, ledger } = setUp((id) =>
    id === 1 ? new Promise((resolve) => (take = resolve)) : true,
  );
  keep(1, 'a');
  await settle();
  waiting.set(2, 'a');
  ledger.isAway = true;
  take(true);
  await settle();
  await clock.pass(5_000);
  expect([...waiting.keys()]).toEqual([1, 2]);
  ledger.isAway = false;
  await clock.pass(1_000);
  expect(sent).toEqual([1, 2]);
  expect(waiting.size).toBe(0);
});

test('an end passes on what there is, and lets go of what is not taken', async () => {
  const { forwarder, keep, waiting, sent, claims } = setUp((id) => id !== 2);
  for (let id = 1; id <= 300; id++) waiting.set(id, `source ${id}`);
  keep(301, 'source 2');
  await settle();
  await forwarder.close(5_000);
  expect(sent.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, n) => n + 1));
  expect([...waiting.keys()]).toEqual([2, 301]);
  expect(claims.at(-1)).toMatchObject({ limit: 0, held: [] });
  expect(claims.at(-1)?.ended).toContain('source 2');
});
