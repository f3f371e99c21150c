/** Forgetting money requests. Each is for one transaction; on a server only an owner may. */
import { dropDocuments } from '../../index/write.ts';
import { all, change, one, run, type SqlValues, type Work } from '../../store/sql.ts';
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
  yield* run(`DELETE FROM gw.money_requests WHERE ${where}`, values);
  yield* forgetSnapshots(profile);
}

const SETTLED = "created_at < :before AND state NOT IN ('sending', 'unknown')";

/** @returns as `Ledger.prune`; unresolved entries stay, whatever their age */
export function* prune(before: string) {
  yield* dropDocuments(
    `kind = 'request' AND id IN (SELECT id FROM gw.money_requests WHERE ${SETTLED})`,
    { before },
  );
  const entries = yield* change(`DELETE FROM gw.money_requests WHERE ${SETTLED}`, { before });
  const { unresolved } = yield* one<{ unresolved: number }>(
    'SELECT count(*) AS unresolved FROM gw.money_requests WHERE created_at < :before',
    { before },
  );
  return { entries, records: yield* pruneSnapshots(before), unresolved };
}
