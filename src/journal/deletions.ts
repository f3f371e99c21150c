/**
 * Deletes from a ledger, in a file as on a server (store/sql.ts).
 *
 * Tests: test/unit/journal/ledger-cases.ts
 */
import { allRows, insertAll, onlyRow, runSql, type SqlValues, type Work } from '../store/sql.ts';
import type { LedgerEntry, OlderCounts, PrunedRows } from './ledger.ts';
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
  yield* runSql('DELETE FROM gw.pruned_refunds WHERE profile = :profile', { profile });
  yield* runSql('DELETE FROM gw.profile_uses WHERE profile = :profile', { profile });
}

/** Rows of a table in one transaction: few, so that others who wait to write get their turn. */
const LOT = 500;
const IS_SETTLED = "created_at < :before AND state NOT IN ('sending', 'unknown')";
/** A time of its own: on a server it is a text, and that of an entry is none. */
const IS_UNSEEN = 'last_seen_at < :unseen';

/** @returns how much is older than an instant, and how much of that stays because its outcome is unknown */
export function countOlderRows(before: string): Work<OlderCounts> {
  return onlyRow<OlderCounts>(
    `SELECT (SELECT count(*) FROM gw.money_requests WHERE ${IS_SETTLED}) AS entries,
            (SELECT count(*) FROM gw.records WHERE ${IS_UNSEEN}) AS records,
            (SELECT count(*) FROM gw.money_requests
              WHERE created_at < :before AND state IN ('sending', 'unknown')) AS unresolved`,
    { before, unseen: before },
  );
}

/**
 * Deletes the oldest of what is older than an instant. Unresolved entries stay, whatever their age. A refund leaves a
 * row that counts in what is left of its purchase.
 * @returns how many rows it deleted; none if nothing of that age is left
 */
export function* pruneLot(at: Moment, before: string): Work<PrunedRows> {
  const entries = yield* deleteEntries(at, oldest('id', `money_requests WHERE ${IS_SETTLED}`), {
    before,
  });
  const refunds = entries.flatMap(({ id, account, profile, state, purchase, amount }) =>
    state === 'done' && purchase !== null && amount !== null
      ? [{ id, account, profile, purchase, amount }]
      : [],
  );
  yield* insertAll('pruned_refunds', refunds, 'ON CONFLICT (id) DO NOTHING');
  const records = yield* deleteRecords(oldest('rowid', `records WHERE ${IS_UNSEEN}`), {
    unseen: before,
  });
  return { entries: entries.length, records };
}

/** Locks the rows, so that two who prune at once never wait for the same lot and find it gone. */
function oldest(id: 'id' | 'rowid', rows: string): string {
  const time = id === 'id' ? 'created_at' : 'last_seen_at';
  return `${id} IN (SELECT ${id} FROM gw.${rows} ORDER BY ${time} LIMIT ${LOT} FOR UPDATE)`;
}

interface DeletedEntry
  extends Pick<LedgerEntry, 'id' | 'createdAt' | 'account' | 'profile' | 'state' | 'amount'> {
  /** The purchase that it refunded. */
  purchase: string | null;
}

/**
 * A ledger on a server notes up to when entries were deleted on purpose. Otherwise other machines would take their
 * absence for a restored older state.
 */
function* deleteEntries({ store }: Moment, where: string, values: SqlValues): Work<DeletedEntry[]> {
  const gone = yield* allRows<DeletedEntry>(
    `DELETE FROM gw.money_requests WHERE ${where}
     RETURNING id, created_at AS "createdAt", account, profile, state, amount, refund_of AS purchase`,
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
  return gone;
}

/** @returns how many were deleted */
function* deleteRecords(where: string, values: SqlValues): Work<number> {
  const gone = yield* allRows<SqlValues>(
    `DELETE FROM gw.records WHERE ${where} RETURNING kind, account, id`,
    values,
  );
  yield* insertAll('sources_due', gone);
  return gone.length;
}
