import { statSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { EventFilter, StoredEvent } from '../../../src/events/event-store.ts';
import { openEventStore } from '../../../src/events/sqlite-event-store.ts';
import { createClock } from '../../../src/host/clock.ts';
import { openLedger } from '../../../src/journal/sqlite-ledger.ts';
import { charge } from '../../helpers/listener.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';
import { newEvent } from '../webhooks/support.ts';

async function openStore(file = path.join(temporaryDirectory(), 'ledger.db')) {
  const store = await openEventStore(file);
  onTestFinished(() => store.close());
  const listed = async (filter: Partial<EventFilter> = {}) => {
    const events: StoredEvent[] = [];
    for await (const event of store.list({ limit: 1_000, ...filter })) events.push(event);
    return events;
  };
  return { store, listed, file };
}

const pending = { event: 'charge:pending', payload: [{ id: 'S-1', frequency: 'Daily' }] };
const chargeOf = (id: string) => charge(id, { subscription: 'S-1' });

test('gives back what it was given', async () => {
  const { store, file } = await openStore();
  const event = newEvent(charge('P-1'), {
    mode: null,
    profile: 'shop',
    headers: [
      ['A', '1'],
      ['a', '2'],
    ],
  });
  const [appended] = await store.append([event]);
  const { forwardTo: _, isLasting: __, ...kept } = event;
  expect(await store.find(1)).toEqual({
    ...kept,
    ...appended,
    body: new Uint8Array(event.body),
    verification: null,
  });
  expect(await store.find(2)).toBeUndefined();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('the same charge again is a duplicate, whatever was heard in between', async () => {
  const { store } = await openStore();
  const appended = await store.append(
    ['P-1', 'P-2', 'P-1', 'P-1'].map((id) => newEvent(chargeOf(id))),
  );
  expect(appended.map(({ duplicateOf }) => duplicateOf)).toEqual([null, null, 1, 1]);
});

test('the same announcement again is one only while nothing else was heard of its source', async () => {
  const { store } = await openStore();
  const other = { ...pending, payload: [{ id: 'S-2', frequency: 'Daily' }] };
  const stream = [pending, pending, other, pending, chargeOf('P-1'), pending, pending];
  const appended = await store.append(stream.map((value) => newEvent(value)));
  expect(appended.map(({ duplicateOf }) => duplicateOf)).toEqual([null, 1, null, 1, null, null, 6]);
});

test('a batch is kept whole or not at all', async () => {
  const { store, listed } = await openStore();
  const broken = { ...newEvent('{}'), source: null as unknown as string };
  await expect(store.append([newEvent(charge('P-1')), broken])).rejects.toThrow();
  expect(await listed()).toEqual([]);
});

test('finds events by each of their marks, newest first', async () => {
  const { store, listed } = await openStore();
  const at = (hour: string) => ({ receivedAt: `2026-03-10T${hour}:00:00.000Z` });
  await store.append([
    newEvent(charge('P-1'), at('01')),
    newEvent(
      charge('P-2', { event: 'charge:failed', reference: 'SUB-2', subscription: 'S-2' }),
      at('02'),
    ),
    newEvent('nope', at('03')),
    newEvent({ event: 'x[y]?', payload: { email: 'B@x.y' } }, at('04')),
  ]);
  const ids = async (filter: Partial<EventFilter>) => (await listed(filter)).map(({ id }) => id);
  expect(await ids({})).toEqual([4, 3, 2, 1]);
  expect(await ids({ limit: 2 })).toEqual([4, 3]);
  expect(await ids({ events: ['charge:*'] })).toEqual([2, 1]);
  expect(await ids({ events: ['charge:s*', 'x[y]?'] })).toEqual([4, 1]);
  expect(await ids({ events: ['x?y??'] })).toEqual([]);
  expect(
    await ids({ since: '2026-03-10T02:00:00.000Z', before: '2026-03-10T04:00:00.000Z' }),
  ).toEqual([3, 2]);
  expect(await ids({ reference: 'SUB-2' })).toEqual([2]);
  expect(await ids({ customer: 'b@x.y' })).toEqual([4]);
  expect(await ids({ outcome: 'bad' })).toEqual([3]);
});

test('a list longer than a page is whole', async () => {
  const { store, listed } = await openStore();
  await store.append(Array.from({ length: 200 }, (_, n) => newEvent(charge(`P-${n}`))));
  expect((await listed()).map(({ id }) => id)).toEqual(
    Array.from({ length: 200 }, (_, n) => 200 - n),
  );
  expect(await listed({ limit: 130 })).toHaveLength(130);
});

test('remembers what is to be passed on until it is done', async () => {
  const { store, file } = await openStore();
  const to = 'http://app/';
  await store.append(['P-1', 'P-2'].map((id) => newEvent(chargeOf(id), { forwardTo: to })));
  await store.append([newEvent(chargeOf('P-3'))]);
  const result = { target: to, attempts: 1, error: null };
  await store.settleForwards([
    { ...result, id: 1, state: 'done' },
    { ...result, id: 2, state: 'waiting', error: 'answered 500' },
  ]);
  const { store: reopened } = await openStore(file);
  expect(await reopened.waiting(to)).toEqual([{ id: 2, source: 'subscription S-1', attempts: 1 }]);
  expect(await reopened.waiting('http://other/')).toEqual([]);
});

test('keeps what a verification found', async () => {
  const { store } = await openStore();
  await store.append([newEvent(charge('P-1'))]);
  const verification = { state: 'contradicted', reason: 'id' } as const;
  await store.verify(1, verification);
  expect((await store.find(1))?.verification).toEqual(verification);
});

test('shares its file with the money requests', async () => {
  const { file, store } = await openStore();
  const ledger = await openLedger(file, createClock());
  onTestFinished(() => ledger.close());
  await store.append([newEvent(charge('P-1'))]);
  expect(await ledger.list({ limit: 10 })).toEqual([]);
});

test('forgets what is old, but for what waits to be passed on', async () => {
  const { store, listed } = await openStore();
  const to = 'http://127.0.0.1:3000/';
  const on = (day: number) => ({ receivedAt: `2026-03-${day}T10:00:00.000Z` });
  await store.append([
    newEvent(chargeOf('P-1'), on(10)),
    newEvent(chargeOf('P-2'), { ...on(11), forwardTo: to }),
    newEvent(chargeOf('P-3'), { ...on(12), forwardTo: to }),
    newEvent(pending, on(13)),
  ]);
  await store.settleForwards([{ target: to, id: 2, state: 'done', attempts: 1, error: null }]);
  expect(await store.prune('2026-03-13T10:00:00.000Z')).toEqual({ events: 2, waiting: 1 });
  expect((await listed()).map(({ id }) => id)).toEqual([4, 3]);
  expect((await store.waiting(to)).map(({ id }) => id)).toEqual([3]);
  // What is forgotten is new when it comes again, and gets a number of its own.
  const again = await store.append([newEvent(chargeOf('P-1')), newEvent(chargeOf('P-3'))]);
  expect(again.map(({ id, duplicateOf }) => [id, duplicateOf])).toEqual([
    [5, null],
    [6, 3],
  ]);
  expect(await store.prune('2026-03-01')).toEqual({ events: 0, waiting: 0 });
});
