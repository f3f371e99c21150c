/** Deletes from a ledger, in a file as on a server (store/sql.ts). */
import { all, insertAll, one, runSql, type SqlValues, type Work } from '../store/sql.ts';
import type { Pruned } from './ledger.ts';
import type { Moment } from './statements.ts';

/**
 * Deletes the records of a profile, and its entries.
 * @param machine only entries of this machine; undefined for all. Records do not say which machine saw them.
 */
export function* forgetProfile(
  at: Moment,
  profile: string,
  machine: string | undefined,
): Work<void> {
  yield* machine === undefined
    ? deleteEntries(at, 'profile = :profile', { profile })
    : deleteEntries(at, 'profile = :profile AND machine = :machine', { profile, machine });
  yield* deleteRecords('profile = :profile', { profile });
}

/** Deletes what is older than an instant. Unresolved entries stay, whatever their age. */
export function* pruneOlder(at: Moment, before: string): Work<Pruned> {
  const isOld = 'created_at < :before';
  const isSettled = "state NOT IN ('sending', 'unknown')";
  const entries = yield* deleteEntries(at, `${isOld} AND ${isSettled}`, { before });
  const records = yield* deleteRecords('last_seen_at < :before', { before });
  const { unresolved } = yield* one<{ unresolved: number }>(
    `SELECT count(*) AS unresolved FROM gw.money_requests WHERE ${isOld}`,
    { before },
  );
  return { entries, records, unresolved };
}

/**
 * A ledger on a server notes up to when entries were deleted on purpose. Otherwise other machines would take their
 * absence for a restored older state.
 * @returns how many were deleted
 */
function* deleteEntries({ store }: Moment, where: string, values: SqlValues): Work<number> {
  const gone = yield* all<{ id: string; createdAt: string }>(
    `DELETE FROM gw.money_requests WHERE ${where} RETURNING id, created_at AS "createdAt"`,
    values,
  );
  yield* insertAll(
    'sources_due',
    gone.map(({ id }) => ({ kind: 'request', id })),
  );
  const newest = gone
    .map(({ createdAt }) => createdAt)
    .toSorted()
    .at(-1);
  if (newest !== undefined && store === 'postgres')
    yield* runSql(
      'UPDATE gw.ledger SET complete_since = greatest(complete_since, :newest::timestamptz)',
      { newest },
    );
  return gone.length;
}

/** @returns how many were deleted */
function* deleteRecords(where: string, values: SqlValues): Work<number> {
  const gone = yield* all<SqlValues>(
    `DELETE FROM gw.records WHERE ${where} RETURNING kind, account, id`,
    values,
  );
  yield* insertAll('sources_due', gone);
  return gone.length;
}
