/** Brings the table of things up to date with what is due: events, requests and records. */
import { adoptEvents, readEvents } from '../../events/store/learn-events.ts';
import { readEntries, readRecords } from '../../journal/learn.ts';
import type { SqlStore, Work } from '../../store/sql.ts';
import { countDue, type DueSource, deferAll, takeDue } from '../../things/deferred.ts';
import { learnSources, type ToldBySource } from '../../things/learn.ts';
import { clearThings, lockThings } from '../../things/write.ts';

/** Sources in one transaction. It is small, so that others who wait to write get their turn. */
const LOT = 500;

/** Learns a lot of the sources that are due. @returns about how many are left */
export function* learnDue(limit = LOT): Work<number> {
  yield* lockThings();
  const due = yield* takeDue(limit);
  // A request or a record may show the account of a profile's events.
  if (due.some(({ kind }) => kind !== 'event')) yield* adoptEvents();
  yield* learnSources(due, readSources);
  return yield* countDue();
}

function* readSources(wanted: readonly DueSource[]): Work<ToldBySource[]> {
  return [
    ...(yield* readRecords(wanted.filter(({ kind }) => kind !== 'event' && kind !== 'request'))),
    ...(yield* readEntries(wanted.filter(({ kind }) => kind === 'request'))),
    ...(yield* readEvents(wanted.filter(({ kind }) => kind === 'event'))),
  ];
}

/** Learns everything that is due, in one transaction. */
export function* learnAll(): Work<void> {
  while ((yield* learnDue()) > 0);
}

/** Learns everything that is due. @throws Failure guard if the ledger cannot be used */
export async function learnAllDue(store: Pick<SqlStore, 'write'>): Promise<void> {
  while ((await store.write(() => learnDue())) > 0);
}

/**
 * Writes the table again in one transaction. Readers use the old rows meanwhile, and writers wait.
 * @throws Failure guard if the ledger cannot be used
 */
export function rebuildIndex(store: SqlStore): Promise<void> {
  return store.write(function* () {
    yield* clearThings();
    yield* deferAll();
    yield* learnAll();
  });
}
