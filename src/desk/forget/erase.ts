/**
 * Erasing a person from a ledger, by the rules of erasure-rules.ts: in one transaction with the index. All
 * that is kept is read before, while others go on writing: only what is changed is changed alone.
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
import type { Erased } from '../../view/records/person.ts';
import { Rules } from './erasure-rules.ts';
import type { Person } from './person.ts';

export interface Erasure {
  erased: Erased[];
  /** How many things bear the name alone and may be a namesake's; they stay as they are. */
  unsure: number;
}

/**
 * @param isDry true only says what would become of each
 * @throws Failure usage or guard when the ledger cannot be used, or the role may not do that
 */
export async function erasePerson(
  store: SqlStore,
  person: Person,
  isDry: boolean,
): Promise<Erasure> {
  const found = await store.read(() => goOver(person));
  if (!isDry)
    await store.write(function* () {
      yield* goOver(person, found);
      // Also where the name may be a namesake's: it is found anew, or not.
      yield* deferRequestsOf((who) => person.names.has(fold(who)));
      yield* indexDue(Number.MAX_SAFE_INTEGER);
      yield* purgeDocuments();
    });
  return { erased: found.erased, unsure: found.unsure };
}

/** Numbers of rows. */
interface Rows {
  records: number[];
  entries: number[];
  events: number[];
}

/** @param only rows that are changed, as they are by now; without them none is, and all are asked about */
function* goOver(person: Person, only?: Rows): Work<Rows & Erasure> {
  const rules = new Rules(person);
  const rows = {
    records: yield* rewriteRecords(rules.record, only?.records),
    entries: yield* rewriteEntries(rules.entry, only?.entries),
    events: yield* rewriteEvents(rules.event, only?.events),
  };
  return { ...rows, erased: rules.erased, unsure: rules.unsure };
}
