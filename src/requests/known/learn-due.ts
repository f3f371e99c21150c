/** Brings the table of things up to date with what is due: events, requests and records. */
import {
  type Accounts,
  adoptEvents,
  learnEvent,
  learnNewEvents,
} from '../../events/store/learn-events.ts';
import { type DueDocument, deferAll, takeDue } from '../../index/deferred.ts';
import { clearDocuments, lockDocuments } from '../../index/write.ts';
import { learnEntry, learnRecord } from '../../journal/learn.ts';
import { all, engine, type SqlStore, type Work } from '../../store/sql.ts';

/** Sources in one transaction. It is small, so that others who wait to write get their turn. */
const LOT = 500;

/** Learns at most `limit` of the sources that are due. @returns the number of those that were due */
export function* learnDue(limit: number): Work<number> {
  yield* lockDocuments();
  const accounts: Accounts = new Map();
  const events = yield* learnNewEvents(limit, accounts);
  const due = yield* takeDue(limit - events);
  // An entry is due when it is written, and again when it has its outcome.
  const each = new Map(due.map((one) => [JSON.stringify([one.kind, one.account, one.id]), one]));
  if ((yield* engine()) === 'sqlite') yield* adoptWhereKnown([...each.values()], accounts);
  for (const one of each.values()) yield* learnOne(one, accounts);
  return events + due.length;
}

/** A source that is gone meanwhile is taken away from the things that it told of. */
function* learnOne({ kind, account, id }: DueDocument, accounts: Accounts): Work<void> {
  if (kind === 'event') yield* learnEvent(Number(id), accounts);
  else if (kind === 'request') yield* learnEntry(id);
  else yield* learnRecord(kind, account ?? '', id);
}

/** A first request or record tells which account the events of its profile belong to. */
function* adoptWhereKnown(due: readonly DueDocument[], accounts: Accounts): Work<void> {
  if (due.every(({ kind }) => kind === 'event')) return;
  const open = yield* all<{ profile: string }>(
    'SELECT DISTINCT profile FROM gw.documents WHERE account IS NULL AND profile IS NOT NULL',
  );
  for (const { profile } of open) yield* adoptEvents(profile, accounts);
}

/** Learns everything that is due. @throws Failure guard if the ledger cannot be used */
export async function learnAllDue(store: Pick<SqlStore, 'write'>): Promise<void> {
  while ((await store.write(() => learnDue(LOT))) === LOT);
}

/**
 * Writes the table again in one transaction. Readers use the old rows meanwhile, and writers wait.
 * @throws Failure guard if the ledger cannot be used
 */
export function rebuildIndex(store: SqlStore): Promise<void> {
  return store.write(function* () {
    yield* clearDocuments();
    yield* deferAll();
    yield* learnDue(Number.MAX_SAFE_INTEGER);
  });
}
