/** Entries of the ledger: how they are selected, and the questions about them. */
import { sameAccount } from '../../base/account.ts';
import type { JsonObject } from '../../base/json.ts';
import { namedValues, requestIsOurs, SCOPE } from '../../index/scope.ts';
import { MADE_IT } from '../../index/totals.ts';
import { all, engine, get, type SqlValues, type Work } from '../../store/sql.ts';
import type { Entered, EntryFilter, EntrySender, LedgerEntry } from '../ledger.ts';
import {
  type BeingSent,
  isAbandoned,
  SENDER_GONE,
  type SendingProcesses,
  senderOf,
} from './sending.ts';

/** An entry as it is written, with who sends it, and its body as JSON. */
export type EntryRow = Omit<LedgerEntry, 'body'> & BeingSent & { body: string };

/** Entries, for a clause that goes on. */
export const ENTRIES = `
  SELECT id, created_at AS "createdAt", account, profile, environment, host, operation, target,
         refund_of AS "refundOf", amount, currency, reference, body, state, settled_at AS "settledAt",
         status, record_id AS "recordId", message, operator, machine, batch, line, resolution,
         resolved_by AS "resolvedBy", owner, sends_until AS "sendsUntil",
         CASE state WHEN 'sending' THEN :store_time END AS "asOf"
    FROM gw.money_requests`;

/** Of one that is `sending` under a time that is over. */
export const STATE_NOW = `CASE WHEN state = 'sending' AND sends_until < :store_time THEN 'unknown' ELSE state END`;

/** @returns an entry as it is written */
export function entryOf({
  owner: _o,
  sendsUntil: _s,
  asOf: _a,
  body,
  ...entry
}: EntryRow): LedgerEntry {
  return { ...entry, body: JSON.parse(body) as JsonObject };
}

/** @returns entries as everybody reads them: one whose sender is gone is unknown */
export function* findEntries(
  sql: string,
  values: SqlValues,
  processes: SendingProcesses,
): Work<LedgerEntry[]> {
  const rows = yield* all<EntryRow>(sql, values);
  return rows.map((row) => ({ ...entryOf(row), ...(isAbandoned(row, processes) && SENDER_GONE) }));
}

/** @returns an entry as it is written, with who sends it */
export function* rowOf(id: string): Work<EntryRow | undefined> {
  return yield* get<EntryRow>(`${ENTRIES} WHERE id = :id`, { id });
}

/** @returns as `Ledger.list` */
export function* listEntries(
  { unresolved = false, scope, limit }: EntryFilter,
  processes: SendingProcesses,
): Work<LedgerEntry[]> {
  const open = unresolved ? "state IN ('sending', 'unknown')" : 'true';
  const where = scope ? `${open} AND ${requestIsOurs(SCOPE)}` : open;
  const sql = `${ENTRIES} WHERE ${where} ORDER BY created_at DESC, rowid DESC LIMIT :limit`;
  return yield* findEntries(sql, { ...(scope && namedValues(scope)), limit }, processes);
}

/** By the index of ids, whatever the language of the database: no id has a letter behind z. */
const BEGINNING = `${ENTRIES}
  WHERE id >= :id AND id < :id || 'zz' AND substr(id, 1, length(:id)) = :id LIMIT 2`;

/** @returns as `Ledger.find` */
export function findById(id: string, processes: SendingProcesses): Work<LedgerEntry[]> {
  return findEntries(BEGINNING, { id }, processes);
}

/** @returns as `Ledger.entries`, in the order of their ids there */
export function* entriesOf(
  ids: readonly string[],
  processes: SendingProcesses,
): Work<LedgerEntry[]> {
  const found = yield* findEntries(`${ENTRIES} WHERE id = ANY (:ids)`, { ids }, processes);
  const byId = new Map(found.map((entry) => [entry.id, entry]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** @returns as `Ledger.entered` */
export function* enteredOf(ids: readonly string[]): Work<Map<string, Entered>> {
  if (ids.length === 0 || (yield* engine()) === 'sqlite') return new Map();
  const rows = yield* all<Entered & { id: string }>(
    'SELECT id, entered_by AS by, entered_at AS at FROM gw.money_requests WHERE id = ANY (:ids)',
    { ids },
  );
  return new Map(rows.map(({ id, by, at }) => [id, { by, at }]));
}

/** @returns as `Ledger.senderOf` */
export function* senderOfEntry(
  id: string,
  processes: SendingProcesses,
): Work<EntrySender | undefined> {
  const row = yield* rowOf(id);
  return row && senderOf(row, processes);
}

const MADE_BY_ANOTHER = `
  SELECT 1 FROM gw.money_requests AS other JOIN gw.money_requests AS own ON own.id = :entryId
   WHERE other.record_id = :recordId AND other.id <> own.id
     AND other.state IN ('done', 'declined') AND other.${MADE_IT}
     AND ${sameAccount('other.', 'own.')}
     AND NOT (:exceptAlike AND other.operation = own.operation
              AND coalesce(other.reference = own.reference, false)
              AND other.target IS NOT DISTINCT FROM own.target
              AND other.amount IS NOT DISTINCT FROM own.amount)
   LIMIT 1`;

/** @returns as `Ledger.isMadeByAnother` */
export function* isMadeByAnother(
  recordId: string,
  entryId: string,
  except?: 'alike',
): Work<boolean> {
  const exceptAlike = except === 'alike';
  return (yield* all(MADE_BY_ANOTHER, { recordId, entryId, exceptAlike })).length > 0;
}

/** @returns as `Ledger.requiresJournal`; a file is its user's own */
export function* requiresJournal(): Work<boolean> {
  if ((yield* engine()) === 'sqlite') return false;
  const ledger = yield* get<{ requires: boolean }>(
    'SELECT requires_journal AS requires FROM gw.ledger',
  );
  return ledger?.requires ?? false;
}
