/** Entries on a server: how they are selected, and the questions that ask for nothing else. */

import type { JsonObject } from '../../base/json.ts';
import { scopeIn, Values } from '../../index/postgres/postgres-conditions.ts';
import { requestIsOurs } from '../../index/scope.ts';
import { MADE_IT } from '../../index/totals.ts';
import type { RunStatement } from '../../store/postgres/server.ts';
import type { EntryFilter, EntrySender, LedgerEntry } from '../ledger.ts';
import { LEASE_UNTIL } from './postgres-lease.ts';

/** What is `sending` and has no sender, as in what was copied from a file, is known by its age alone. */
const MAX_SENDING = "interval '15 minutes'";
/** What a process leaves behind that ends, or sleeps longer than its lease. */
export const SENDER_GONE = 'gw ended before the answer came';

/**
 * Whether the entry `m` is still `sending`, and nobody will write its outcome: its sender `s` lives no
 * more by the server's clock.
 */
export const IS_ABANDONED = `
  m.state = 'sending' AND coalesce(s.lease_until < now(), m.created_at < now() - ${MAX_SENDING})`;

/**
 * Whether the sender `s` of an entry is known to live. A lease that lasts longer than any does is of a
 * server whose clock was put back: nobody can tell then.
 */
export const IS_RUNNING = `coalesce(s.lease_until BETWEEN now() AND ${LEASE_UNTIL}, false)`;

const SAME_COLUMNS = `
  m.id, m.created_at AS "createdAt", m.account, m.profile, m.environment, m.host, m.operation, m.target,
  m.refund_of AS "refundOf", m.amount, m.currency, m.reference, m.body, m.settled_at AS "settledAt",
  m.status, m.record_id AS "recordId", m.operator, m.machine, m.batch, m.line, m.resolution,
  m.resolved_by AS "resolvedBy"`;

/** Columns of an entry `m` as they stand, for what has just been written. */
export const STORED_COLUMNS = `${SAME_COLUMNS}, m.state, m.message`;

/** Columns of an entry `m` whose sender is `s`. What is abandoned is unknown to everybody who reads. */
export const ENTRY_COLUMNS = `${SAME_COLUMNS},
  CASE WHEN ${IS_ABANDONED} THEN 'unknown' ELSE m.state END AS state,
  CASE WHEN ${IS_ABANDONED} THEN '${SENDER_GONE}' ELSE m.message END AS message`;

/** Entries, for a clause that goes on. */
export const ENTRIES = `
  SELECT ${ENTRY_COLUMNS}
    FROM gw.money_requests AS m LEFT JOIN gw.senders AS s ON s.id = m.sender`;

/** An entry as a statement gives it. */
export type EntryRow = Omit<LedgerEntry, 'body'> & { body: string };

export function entryOf({ body, ...entry }: EntryRow): LedgerEntry {
  return { ...entry, body: JSON.parse(body) as JsonObject };
}

/** @returns as `Ledger.list` */
export async function listEntries(
  run: RunStatement,
  { unresolved = false, scope, limit }: EntryFilter,
): Promise<LedgerEntry[]> {
  const values = new Values();
  const open = unresolved ? "m.state IN ('sending', 'unknown')" : 'true';
  const where = scope ? `${open} AND ${requestIsOurs(scopeIn(values, scope))}` : open;
  const most = values.add(limit);
  const rows = await run<EntryRow>(
    `${ENTRIES} WHERE ${where} ORDER BY m.created_at DESC, m.number DESC LIMIT ${most}`,
    values.all,
  );
  return rows.map(entryOf);
}

/** @returns as `Ledger.find` */
export async function findEntries(run: RunStatement, id: string): Promise<LedgerEntry[]> {
  // By the index of ids, whatever the language of the database: no id has a letter behind z.
  const rows = await run<EntryRow>(
    `${ENTRIES} WHERE m.id >= $1 AND m.id < $1 || 'zz' AND left(m.id, length($1)) = $1 LIMIT 2`,
    [id],
  );
  return rows.map(entryOf);
}

/** @returns as `Ledger.entries` */
export async function entriesOf(run: RunStatement, ids: readonly string[]): Promise<LedgerEntry[]> {
  const rows = await run<EntryRow>(`${ENTRIES} WHERE m.id = ANY ($1::text[])`, [ids]);
  return rows.map(entryOf);
}

/** @returns as `Ledger.senderOf` */
export async function senderOfEntry(
  run: RunStatement,
  id: string,
): Promise<EntrySender | undefined> {
  const [sender] = await run<EntrySender>(
    `SELECT NULL AS process, ${IS_RUNNING} AS "isRunning"
       FROM gw.money_requests AS m LEFT JOIN gw.senders AS s ON s.id = m.sender
      WHERE m.id = $1 AND m.state = 'sending' AND NOT (${IS_ABANDONED})`,
    [id],
  );
  return sender;
}

/** @returns as `Ledger.isMadeByAnother` */
export async function isMadeByAnother(
  run: RunStatement,
  recordId: string,
  entryId: string,
): Promise<boolean> {
  const rows = await run(
    `SELECT 1 FROM gw.money_requests
      WHERE record_id = $1 AND id <> $2 AND state IN ('done', 'declined') AND ${MADE_IT} LIMIT 1`,
    [recordId, entryId],
  );
  return rows.length > 0;
}
