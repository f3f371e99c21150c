/** The index of a ledger in a file. */
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { EventFile } from '../../../src/events/store/event-file.ts';
import { openSqliteLedger } from '../../../src/journal/sqlite/sqlite-ledger.ts';
import { learnAllDue, readSources, rebuildIndex } from '../../../src/requests/known/learn-due.ts';
import { indexing } from '../../helpers/indexing.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';
import { indexCases, NOW } from './index-cases.ts';
import { subscriptionStateCases } from './subscription-state-cases.ts';

const open = async () => {
  const file = path.join(temporaryDirectory(), 'ledger.db');
  const ledger = indexing(
    await openSqliteLedger(file, { now: () => new Date(NOW) }, { readSources }),
  );
  const events = new EventFile(file);
  onTestFinished(async () => {
    await ledger.close();
    await events.close();
  });
  const { sql } = ledger;
  return { ledger, events, indexDue: () => learnAllDue(sql), rebuild: () => rebuildIndex(sql) };
};

indexCases(open);
subscriptionStateCases(open);
