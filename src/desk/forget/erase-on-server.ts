/**
 * Erasing a person from the ledger of a team, by the rules of erasure-rules.ts: in one transaction with
 * the index, statement by statement. All that is kept is read before, while others go on writing: only
 * what is changed is changed alone. The owner of the ledger alone may.
 *
 * What rows said before is the server's affair: it stays in its files until VACUUM, and in its backups.
 */
import { rewriteEvents } from '../../events/store/postgres/postgres-rewrite.ts';
import { fold } from '../../index/normalise.ts';
import { purgeKeys } from '../../index/postgres/postgres-write-facts.ts';
import {
  type RecordKey,
  reindexRequestsOf,
  rewriteEntries,
  rewriteRecords,
} from '../../journal/postgres/postgres-rewrite.ts';
import type { RunStatement, Server } from '../../store/postgres/server.ts';
import type { Erasure } from './erase.ts';
import { Rules } from './erasure-rules.ts';
import type { Person } from './person.ts';

/**
 * @param isDry true only says what would become of each
 * @throws Failure guard when the server cannot be used, or the role may not do that
 */
export async function eraseOnServer(
  server: Server,
  person: Person,
  isDry: boolean,
): Promise<Erasure> {
  const found = await goOver((sql, values) => server.runAgain(sql, values), person);
  const { erased, unsure } = found;
  if (!isDry)
    await server.transaction(async (run) => {
      await goOver(run, person, found);
      // Also where the name may be a namesake's: it is found anew, or not.
      await reindexRequestsOf(run, (who) => person.names.has(fold(who)));
      await purgeKeys(run);
    });
  return { erased, unsure, isCompact: true };
}

interface Rows {
  records: RecordKey[];
  entries: string[];
  events: number[];
}

/** @param only rows that are changed, as they are by now; without them none is, and all are asked about */
async function goOver(
  run: RunStatement,
  person: Person,
  only?: Rows,
): Promise<Rows & Pick<Erasure, 'erased' | 'unsure'>> {
  const rules = new Rules(person);
  const rows = {
    records: await rewriteRecords(run, rules.record, only?.records),
    entries: await rewriteEntries(run, rules.entry, only?.entries),
    events: await rewriteEvents(run, rules.event, only?.events),
  };
  return { ...rows, erased: rules.erased, unsure: rules.unsure };
}
