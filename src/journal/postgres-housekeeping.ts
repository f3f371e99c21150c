/** What only an owner of a ledger on a server may do: forgetting. Each is for one transaction. */
import { dropFacts } from '../facts/postgres-write-facts.ts';
import type { RunStatement } from '../postgres/server.ts';

const SETTLED = "state NOT IN ('sending', 'unknown')";

/** Removes every entry and record of a profile. */
export async function forgetProfile(run: RunStatement, profile: string): Promise<void> {
  await run('DELETE FROM gw.money_requests WHERE profile = $1', [profile]);
  await run('DELETE FROM gw.records_seen WHERE profile = $1', [profile]);
  await dropFacts(run, "profile = $1 AND kind <> 'event'", [profile]);
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
