/**
 * Erasing a person from a ledger, by the rules of erasure-rules.ts: in one transaction with the index, after one
 * for the events of this machine. All
 * that is kept is read before, while others go on writing: only what is changed is changed alone. Events come first,
 * so that whoever is stopped in between still finds the person by what is left.
 *
 * What rows said before stays where the store keeps it. A file is written anew for that
 * (`Database.compact`); a server has it in its files until VACUUM, and in its backups.
 */
import { rewriteEvents } from '../../events/store/rewrite-events.ts';
import { fold } from '../../index/normalise.ts';
import { purgeDocuments } from '../../index/write.ts';
import { deferRequestsOf, rewriteEntries, rewriteRecords } from '../../journal/rewrite.ts';
import { indexDue } from '../../requests/known/index-deferred.ts';
import type { SqlStore, Work } from '../../store/sql.ts';
import type { Database } from '../../store/sqlite/database.ts';
import type { Erased } from '../../view/records/person.ts';
import { Rules } from './erasure-rules.ts';
import type { Person } from './person.ts';

export interface Erasure {
  erased: Erased[];
  /** How many things bear the name alone and may be a namesake's; they stay as they are. */
  unsure: number;
}

/** Where a person is kept. */
export interface KeptIn {
  ledger: SqlStore;
  /** The file with the events of this machine; undefined where it has none. */
  events: Database | undefined;
}

/**
 * @param isDry true only says what would become of each
 * @throws Failure usage or guard when the ledger cannot be used, or the role may not do that
 */
export async function erasePerson(
  { ledger, events }: KeptIn,
  person: Person,
  isDry: boolean,
): Promise<Erasure> {
  const rules = new Rules(person);
  const found = await ledger.read(() => goOver(rules));
  const foundEvents = events?.read((queries) => rewriteEvents(queries, rules.event));
  const { erased, unsure } = rules;
  if (isDry) return { erased, unsure };
  const again = new Rules(person);
  events?.write((queries) => {
    rewriteEvents(queries, again.event, foundEvents);
    queries.do(purgeDocuments());
  });
  await ledger.write(function* () {
    yield* goOver(again, found);
    // Also where the name may be a namesake's: it is found anew, or not.
    yield* deferRequestsOf((who) => person.names.has(fold(who)));
    yield* indexDue(Number.MAX_SAFE_INTEGER);
    yield* purgeDocuments();
  });
  return { erased, unsure };
}

/** Numbers of rows. */
interface Rows {
  records: number[];
  entries: number[];
}

/** @param only rows that are changed, as they are by now; without them none is, and all are asked about */
function* goOver(rules: Rules, only?: Rows): Work<Rows> {
  return {
    records: yield* rewriteRecords(rules.record, only?.records),
    entries: yield* rewriteEntries(rules.entry, only?.entries),
  };
}
