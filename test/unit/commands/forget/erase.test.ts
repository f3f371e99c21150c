/** Erasing a person from a real file, of which then no byte has their name. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { erasePerson } from '../../../../src/commands/forget/erase.ts';
import { findPerson } from '../../../../src/commands/forget/find-person.ts';
import { EventFile } from '../../../../src/events/store/event-file.ts';
import type { RecordSnapshot } from '../../../../src/journal/ledger.ts';
import { openSqliteLedger } from '../../../../src/journal/sqlite/sqlite-ledger.ts';
import { learnAllDue, readSources } from '../../../../src/requests/known/learn-due.ts';
import { ledgerFile } from '../../../../src/store/ledger/ledger-file.ts';
import { Database } from '../../../../src/store/sqlite/database.ts';
import { standingClock } from '../../../helpers/client.ts';
import { indexing } from '../../../helpers/indexing.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';
import { appendAll, newEvent } from '../../events/support.ts';
import { charge, ERASED, erasureCases, found, type Kept, QUIET } from './erasure-cases.ts';

async function open(seen: readonly RecordSnapshot[]): Promise<Kept> {
  const folder = temporaryDirectory();
  const file = path.join(folder, 'ledger.db');
  const ledger = indexing(await openSqliteLedger(file, standingClock(), { readSources }));
  const store = new EventFile(file);
  onTestFinished(async () => {
    await ledger.close();
    await store.close();
  });
  await ledger.remember(seen);
  return {
    ledger,
    store,
    async erase(person, isDry, host = QUIET) {
      const kept = { ledger: ledger.sql, events: ledger.sql };
      const erased = await erasePerson(host, kept, person, { isDry, deed: ERASED });
      const database = new Database(ledgerFile(file));
      expect(isDry || database.compact()).toBe(true);
      database.close();
      return erased;
    },
    async bytes() {
      const files = readdirSync(folder).map((name) => path.join(folder, name));
      return files
        .map((name) => readFileSync(name, 'latin1'))
        .join('')
        .toLowerCase();
    },
  };
}

erasureCases(open);

test('a customer known only from events is found by an id in one of them', async () => {
  const kept = await open([]);
  await appendAll(kept.store, [
    newEvent(charge('071-C-EVENT001', 'CUST-9', 'e@example.com')),
    newEvent({ event: 'card:expired', payload: [{ id: '071-C-EVENT001', first_name: 'Siobhan' }] }),
    newEvent('not JSON, from E@example.com'),
  ]);
  await learnAllDue(kept.ledger.sql);
  const person = await findPerson(kept.ledger, '071-C-EVENT001', false);
  expect(await kept.erase(person, false)).toMatchObject([{ id: '1' }, { id: '2' }, { id: '3' }]);
  expect(await found(kept, ['Siobhan', 'Byron', 'CUST-9', 'e@example.com'])).toEqual([]);
});
