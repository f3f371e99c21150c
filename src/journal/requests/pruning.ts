/** Forgetting money requests. Each is for one transaction; on a server only an owner may. */
import { dropDocuments } from '../../index/write.ts';
import { all, change, engine, one, run, type SqlValues, type Work } from '../../store/sql.ts';
import { forgetSnapshots, pruneSnapshots } from '../records/snapshots.ts';

/**
 * Removes the entries of a profile, and all records of it: another machine's gateway has another state,
 * and records do not say whose they were.
 * @param machine whose entries; undefined for all
 */
export function* forgetProfile(profile: string, machine: string | undefined): Work<void> {
  const [where, values]: [string, SqlValues] =
    machine === undefined
      ? ['profile = :profile', { profile }]
      : ['profile = :profile AND machine = :machine', { profile, machine }];
  const gone = yield* all<{ id: string }>(
    `SELECT id FROM gw.money_requests WHERE ${where}`,
    values,
  );
  yield* dropDocuments("kind = 'request' AND id = ANY (:ids)", { ids: gone.map(({ id }) => id) });
  yield* sayMissing(where, values);
  yield* run(`DELETE FROM gw.money_requests WHERE ${where}`, values);
  yield* forgetSnapshots(profile);
}

/** A shared ledger says that entries are missing which its owner deletes: no machine takes it for an older state then. */
function* sayMissing(where: string, values: SqlValues): Work<void> {
  if ((yield* engine()) !== 'postgres') return;
  yield* run(
    `UPDATE gw.ledger SET complete_since = greatest(complete_since,
       (SELECT max(created_at) FROM gw.money_requests WHERE ${where}))`,
    values,
  );
}

const SETTLED = "created_at < :before AND state NOT IN ('sending', 'unknown')";

/** @returns as `Ledger.prune`; unresolved entries stay, whatever their age */
export function* prune(before: string) {
  yield* dropDocuments(
    `kind = 'request' AND id IN (SELECT id FROM gw.money_requests WHERE ${SETTLED})`,
    { before },
  );
  yield* sayMissing(SETTLED, { before });
  const entries = yield* change(`DELETE FROM gw.money_requests WHERE ${SETTLED}`, { before });
  const { unresolved } = yield* one<{ unresolved: number }>(
    'SELECT count(*) AS unresolved FROM gw.money_requests WHERE created_at < :before',
    { before },
  );
  return { entries, records: yield* pruneSnapshots(before), unresolved };
}
