/** Erasing a person from a real file, of which then no byte has their name. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { erasePerson } from '../../../../src/desk/forget/erase.ts';
import { EventFile } from '../../../../src/events/store/event-file.ts';
import { openLedger } from '../../../../src/journal/sqlite/sqlite-ledger.ts';
import { ledgerFile } from '../../../../src/store/ledger/ledger-file.ts';
import { Database } from '../../../../src/store/sqlite/database.ts';
import { SqliteStore } from '../../../../src/store/sqlite/sqlite-store.ts';
import { standingClock } from '../../../helpers/client.ts';
import { indexing } from '../../../helpers/indexing.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';
import { erasureCases } from './erasure-cases.ts';

erasureCases(async (seen) => {
  const folder = temporaryDirectory();
  const file = path.join(folder, 'ledger.db');
  const ledger = indexing(await openLedger(file, standingClock()));
  const store = new EventFile(file);
  onTestFinished(async () => {
    await ledger.close();
    await store.close();
  });
  await ledger.remember(seen);
  return {
    ledger,
    store,
    async erase(person, isDry) {
      const database = new Database(ledgerFile(file));
      const ledger = new SqliteStore(database);
      const erasure = await erasePerson({ ledger, events: database }, person, isDry);
      expect(isDry || database.compact()).toBe(true);
      await ledger.close();
      return erasure;
    },
    async bytes() {
      const files = readdirSync(folder).map((name) => path.join(folder, name));
      return files
        .map((name) => readFileSync(name, 'latin1'))
        .join('')
        .toLowerCase();
    },
  };
});
