import { statSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EventFile } from '../../../../src/events/store/event-file.ts';
import { openLedger } from '../../../../src/journal/sqlite/sqlite-ledger.ts';
import { standingClock } from '../../../helpers/client.ts';
import { charge } from '../../../helpers/listener.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';
import { newEvent } from '../support.ts';
import { eventStoreCases } from './event-store-cases.ts';

async function open(file: string) {
  const store = new EventFile(file);
  onTestFinished(() => store.close());
  return store;
}

eventStoreCases(() => {
  const file = path.join(temporaryDirectory(), 'ledger.db');
  return () => open(file);
});

test('the store is private, and shares its file with the money requests', async () => {
  const file = path.join(temporaryDirectory(), 'ledger.db');
  const store = await open(file);
  const ledger = await openLedger(file, standingClock());
  onTestFinished(() => ledger.close());
  await store.append([newEvent(charge('P-1'))]);
  expect(await ledger.list({ limit: 10 })).toEqual([]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
