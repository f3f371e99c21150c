/** Entries of a ledger on a server whose outcome was changed without saying so: each outcome leaves a row that stays. */
import type { RunStatement } from '../postgres/server.ts';

/** An entry that says another outcome than was written last. */
export interface ChangedEntry {
  id: string;
  /** What the entry says. */
  state: string;
  /** What was written last, and by which role of the server; null where nothing was. */
  written: string | null;
  writtenBy: string | null;
}

const MAX_NAMED = 100;
const SAID = ['state', 'status', 'record_id', 'resolution', 'resolved_by'];

/** @returns some of them, newest first; none where nobody did that */
export function changedEntries(run: RunStatement): Promise<ChangedEntry[]> {
  const differs = SAID.map((name) => `m.${name} IS DISTINCT FROM last.${name}`).join(' OR ');
  return run<ChangedEntry>(
    `SELECT m.id, m.state, last.state AS written, last.entered_by AS "writtenBy"
       FROM gw.money_requests AS m
       LEFT JOIN LATERAL (SELECT * FROM gw.outcomes AS o WHERE o.entry = m.id
                           ORDER BY o.number DESC LIMIT 1) AS last ON true
      WHERE NOT (m.state = 'sending' AND last.entry IS NULL) AND (last.entry IS NULL OR ${differs})
      ORDER BY m.number DESC LIMIT ${MAX_NAMED}`,
  );
}
