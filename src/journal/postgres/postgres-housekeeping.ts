/** What only an owner of a ledger on a server may do: forgetting. Each is for one transaction. */
import { dropFacts } from '../../index/postgres/postgres-write-facts.ts';
import type { RunStatement } from '../../store/postgres/server.ts';

const SETTLED = "state NOT IN ('sending', 'unknown')";

/**
 * Removes what one machine sent to the gateway of a profile, and all records of that profile: another
 * machine's gateway has another state, and records do not say whose they were.
 */
export async function forgetProfile(
  run: RunStatement,
  profile: string,
  machine: string,
): Promise<void> {
  const gone = await run<{ id: string }>(
    'DELETE FROM gw.money_requests WHERE profile = $1 AND machine = $2 RETURNING id',
    [profile, machine],
  );
  await dropFacts(run, "kind = 'request' AND id = ANY ($1::text[])", [gone.map(({ id }) => id)]);
  await run('DELETE FROM gw.records_seen WHERE profile = $1', [profile]);
  await dropFacts(run, "profile = $1 AND kind NOT IN ('request', 'event')", [profile]);
}

/** @returns as `Ledger.prune`; unresolved entries stay, whatever their age */
export async function pruneBefore(run: RunStatement, before: string) {
  await dropFacts(
    run,
    `kind = 'request' AND id IN (
       SELECT id FROM gw.money_requests WHERE created_at < $1::timestamptz AND ${SETTLED})`,
    [before],
  );
  const entries = await run(
    `DELETE FROM gw.money_requests WHERE created_at < $1 AND ${SETTLED} RETURNING 1`,
    [before],
  );
  await dropFacts(run, "seen_at < $1 AND kind NOT IN ('request', 'event')", [before]);
  const records = await run('DELETE FROM gw.records_seen WHERE last_seen_at < $1 RETURNING 1', [
    before,
  ]);
  const [left] = await run<{ unresolved: number }>(
    'SELECT count(*) AS unresolved FROM gw.money_requests WHERE created_at < $1',
    [before],
  );
  return {
    entries: entries.length,
    records: records.length,
    unresolved: left?.unresolved ?? 0,
  };
}
