/** An index in a file that is none, emptied before each use, since making one takes longer than all else. */
import type { IndexedFact } from '../../../src/index/document.ts';
import { SqliteFacts } from '../../../src/index/sqlite/search.ts';
import { changeOutcome, clearFacts, putFact } from '../../../src/index/sqlite/write.ts';
import { ledgerFile } from '../../../src/store/ledger/ledger-file.ts';
import { Database } from '../../../src/store/sqlite/database.ts';
import { IN_MEMORY } from '../../../src/store/sqlite/open-file.ts';
import type { TestIndex } from './search-cases.ts';

export interface FileIndex extends TestIndex {
  database: Database;
}

export function sqliteIndex(): FileIndex {
  const database = new Database(ledgerFile(IN_MEMORY));
  return {
    database,
    facts: new SqliteFacts(async (work) => database.read(work)),
    async put(all: readonly IndexedFact[]) {
      database.write((queries) => {
        clearFacts(queries);
        for (const [n, fact] of all.entries()) putFact(queries, `fact ${n}`, fact);
      });
    },
    async change(n: number, outcome: string) {
      database.write((queries) => changeOutcome(queries, [`fact ${n}`, `fact ${n}~`], outcome));
    },
  };
}
