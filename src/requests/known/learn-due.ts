/** Brings the table of things up to date with what is due: events, requests and records. */
import { adoptEvents, readEvents } from '../../events/store/learn-events.ts';
import { readKept } from '../../journal/learn.ts';
import { insert, onlyRow, type SqlStore, type Work } from '../../store/sql.ts';
import { countDue, type DueSource, deferAll, takeDue } from '../../things/deferred.ts';
import { learnSources } from '../../things/learn.ts';
import type { SourceNews } from '../../things/read-sources.ts';
import { clearThings, lockThings } from '../../things/write.ts';
import { inLots, type LotHost } from '../lots.ts';

/**
 * Sources in one transaction: few, so that others who wait to write get their turn. A lot of pruned entries and records
 * fits in one, so the row of a thing of both is written once.
 */
const LOT = 1_000;

/** Learns a lot of the sources that are due. @returns about how many are left */
export function* learnDue(limit = LOT): Work<number> {
  yield* lockThings();
  const due = yield* takeDue(limit);
  // A request or a record may show the account of a profile's events.
  if (due.some(({ kind }) => kind !== 'event')) yield* adoptEvents();
  yield* learnSources(due, readSources);
  return yield* countDue();
}

/** @returns what these sources say now */
export function* readSources(wanted: readonly DueSource[]): Work<SourceNews[]> {
  return [
    ...(yield* readKept(wanted)),
    ...(yield* readEvents(wanted.filter(({ kind }) => kind === 'event'))),
  ];
}

/** Learns everything that is due, in one transaction. */
export function* learnAll(): Work<void> {
  while ((yield* learnDue()) > 0);
}

/**
 * Learns everything that is due, and shows how far it is.
 * @throws Failure guard if the ledger cannot be used; interrupted between two lots
 */
export async function learnInLots(host: LotHost, store: Omit<SqlStore, 'close'>): Promise<void> {
  let left = await store.read(countDue);
  const work = {
    doing: 'reading new records for the search',
    total: left,
    stays: 'What was added to the index stays.',
  };
  await inLots(host, work, async () => {
    const before = left;
    if (before === 0) return 0;
    left = await store.write(() => learnDue());
    return Math.max(1, before - left);
  });
}

/** Learns everything that is due. @throws Failure guard if the ledger cannot be used */
export async function learnAllDue(store: Pick<SqlStore, 'write'>): Promise<void> {
  while ((await store.write(() => learnDue())) > 0);
}

/** The last source that is due while the table is written again. It names nothing, and is gone once all are learnt. */
const LAST_DUE = { kind: 'rebuild', id: '' };

/**
 * Empties the table, and marks all sources as due: whoever searches learns them again. Goes on with what was begun.
 * @returns false if it was begun before
 */
export function* restartLearning(): Work<boolean> {
  yield* lockThings();
  const { begun } = yield* onlyRow<{ begun: number }>(
    'SELECT count(*) AS begun FROM gw.sources_due WHERE kind = :kind AND id = :id',
    LAST_DUE,
  );
  if (begun > 0) return false;
  yield* clearThings();
  yield* deferAll();
  yield* insert('sources_due', LAST_DUE);
  return true;
}

/** Writes the table again. @throws Failure guard if the ledger cannot be used */
export async function rebuildIndex(store: Pick<SqlStore, 'write'>): Promise<void> {
  await store.write(restartLearning);
  await learnAllDue(store);
}
