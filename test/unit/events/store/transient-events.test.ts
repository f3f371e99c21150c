/** What stays of the events of a profile that remembers nothing. */
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EventFile } from '../../../../src/events/store/event-file.ts';
import { transientEvent } from '../../../../src/events/store/transient-event.ts';
import { openLedger } from '../../../../src/journal/sqlite/sqlite-ledger.ts';
import { rebuildIndex } from '../../../../src/requests/known/index-deferred.ts';
import { standingClock } from '../../../helpers/client.ts';
import { charge } from '../../../helpers/listener.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';
import { newEvent } from '../support.ts';

const TO = 'http://app/';
const done = { target: TO, id: 1, attempts: 1, error: null };

async function open() {
  const file = path.join(temporaryDirectory(), 'ledger.db');
  const store = new EventFile(file);
  onTestFinished(() => store.close());
  return { file, store };
}

test('a passing event is whole while it waits, and bare once it is passed on', async () => {
  const { store } = await open();
  await store.append([transientEvent(newEvent(charge('P-1'), { forwardTo: TO }))]);
  await store.settleForwards([{ ...done, state: 'waiting' }]);
  expect((await store.find(1))?.body.length).toBeGreaterThan(0);
  await store.settleForwards([{ ...done, state: 'done' }]);
  expect(await store.find(1)).toMatchObject({ headers: [], body: new Uint8Array() });
});

test('an event that is remembered stays as it is when it is passed on', async () => {
  const { store } = await open();
  await store.append([newEvent(charge('P-1'), { forwardTo: TO })]);
  await store.settleForwards([{ ...done, state: 'done' }]);
  expect((await store.find(1))?.body.length).toBeGreaterThan(0);
});

test('a passing event that comes again is a duplicate', async () => {
  const { store } = await open();
  const event = transientEvent(newEvent(charge('P-1')));
  expect(await store.append([event])).toMatchObject([{ id: 1, duplicateOf: null }]);
  expect(await store.append([event])).toMatchObject([{ id: 2, duplicateOf: 1 }]);
});

test('a passing event is in no index, also when that is made anew', async () => {
  const { file, store } = await open();
  await store.append([transientEvent(newEvent(charge('P-1'), { forwardTo: TO }))]);
  const ledger = await openLedger(file, standingClock());
  onTestFinished(() => ledger.close());
  await rebuildIndex(ledger.sql);
  expect((await ledger.documents.sources()).kinds).toEqual({});
});
