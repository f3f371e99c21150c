/** The index of a ledger in a file. */
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { openEventStore } from '../../../src/events/sqlite-event-store.ts';
import { openLedger } from '../../../src/journal/sqlite-ledger.ts';
import { indexAllDue } from '../../../src/session/index-due.ts';
import { rebuildIndex } from '../../../src/session/rebuild-index.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';
import { indexCases, NOW } from './index-cases.ts';

indexCases(async () => {
  const file = path.join(temporaryDirectory(), 'ledger.db');
  const ledger = await openLedger(file, { now: () => new Date(NOW) });
  const events = await openEventStore(file);
  onTestFinished(async () => {
    await ledger.close();
    await events.close();
  });
  return { ledger, events, indexDue: () => indexAllDue(file), rebuild: () => rebuildIndex(file) };
});
