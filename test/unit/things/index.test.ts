/** The index of a ledger in a file. */
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EventFile } from '../../../src/events/store/event-file.ts';
import { openSqliteLedger } from '../../../src/journal/sqlite/sqlite-ledger.ts';
import { learnAllDue, readSources, rebuildIndex } from '../../../src/requests/known/learn-due.ts';
import { indexing } from '../../helpers/indexing.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';
import { filled, found, indexCases, NOW, OF_CUSTOMER } from './index-cases.ts';
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

test('the reference of a customer finds what was paid with the card', async () => {
  const { ledger } = await filled(await open());
  expect(await found(ledger, OF_CUSTOMER)).toContain('purchase 071-P-2');
});
