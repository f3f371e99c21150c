/**
 * Erasing a person from the ledger's file, by the rules of erasure-rules.ts: in one transaction with the
 * index; then the file is written anew, since what SQLite deletes stays in it. All that is kept is read
 * before, while others go on writing: only what is changed is changed alone.
 */
import { rewriteEvents } from '../../events/store/rewrite-events.ts';
import { fold } from '../../index/normalise.ts';
import { purgeFacts } from '../../index/sqlite/write.ts';
import { reindexRequestsOf } from '../../journal/requests/money-requests.ts';
import { rewriteEntries, rewriteRecords } from '../../journal/sqlite/rewrite.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { Database } from '../../store/sqlite/database.ts';
import type { Queries } from '../../store/sqlite/queries.ts';
import type { Erased } from '../../view/records/person.ts';
import { Rules } from './erasure-rules.ts';
import type { Person } from './person.ts';

export interface Erasure {
  erased: Erased[];
  /** How many things bear the name alone and may be a namesake's; they stay as they are. */
  unsure: number;
  /** false where somebody who read meanwhile keeps old bytes in the log of the file. */
  isCompact: boolean;
}

/**
 * @param path of the ledger's file
 * @param isDry true only says what would become of each
 * @throws Failure usage when the file cannot be used
 */
export function erasePerson(path: string, person: Person, isDry: boolean): Erasure {
  const database = new Database(ledgerFile(path));
  try {
    const found = database.read((queries) => goOver(queries, person));
    const { erased, unsure } = found;
    if (isDry) return { erased, unsure, isCompact: true };
    database.write((queries) => {
      goOver(queries, person, found);
      // Also where the name may be a namesake's: it is found anew, or not.
      reindexRequestsOf(queries, (who) => person.names.has(fold(who)));
      purgeFacts(queries);
    });
    return { erased, unsure, isCompact: database.compact() };
  } finally {
    database.close();
  }
}

/** Rows of each table. */
interface Rows {
  records: number[];
  entries: number[];
  events: number[];
}

/** @param only rows that are changed, as they are by now; without them none is, and all are asked about */
function goOver(
  queries: Queries,
  person: Person,
  only?: Rows,
): Rows & Pick<Erasure, 'erased' | 'unsure'> {
  const rules = new Rules(person);
  const rows = {
    records: rewriteRecords(queries, rules.record, only?.records),
    entries: rewriteEntries(queries, rules.entry, only?.entries),
    events: rewriteEvents(queries, rules.event, only?.events),
  };
  return { ...rows, erased: rules.erased, unsure: rules.unsure };
}
