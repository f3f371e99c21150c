/** Questions to the ledger in a file. Each runs inside a transaction. */

import type { JsonObject } from '../../base/json.ts';
import type { SqlValues } from '../../store/sql.ts';
import type { Queries } from '../../store/sqlite/queries.ts';
import { MADE_IT } from '../../things/totals.ts';
import type { PurchaseBalance } from '../balance.ts';
import {
  type EntryRow,
  entryOf,
  isAbandoned,
  laterInstant,
  type RememberedRow,
  recordOfRow,
  type SendingProcesses,
} from '../entries.ts';
import { type Facts, type FactsNeeded, factsNeeded, SAME_WITHIN_MS } from '../judge-intent.ts';
import type {
  Author,
  BatchKey,
  BatchLine,
  BatchPart,
  EntryFilter,
  EntryState,
  IntentConditions,
  Ledger,
  LedgerEntry,
  MoneyRequest,
  OpenAmount,
  RememberedRecord,
  WantedRecords,
} from '../ledger.ts';

/** A transaction, with the time, the processes and the author at that moment. */
export interface LedgerMoment {
  queries: Queries;
  /** ISO 8601, UTC. */
  now: string;
  processes: SendingProcesses;
  author: Author | undefined;
}

const ENTRIES = `
  SELECT id, created_at AS createdAt, account, profile, environment, host, operation, target,
         refund_of AS refundOf, amount, currency, reference, body, note, state, settled_at AS settledAt,
         status, record_id AS recordId, message, operator, machine, batch, line, occurrence,
         resolution, resolved_by AS resolvedBy, owner, NULL AS sendsUntil, NULL AS enteredBy,
         NULL AS enteredAt
    FROM money_requests`;

function entries(
  { queries, now, processes }: LedgerMoment,
  sql: string,
  values: SqlValues,
): LedgerEntry[] {
  return queries.all<EntryRow>(sql, values).map((row) => entryOf(row, now, processes));
}

/** @returns an entry as stored */
export function entryRow({ queries }: LedgerMoment, id: string): EntryRow | undefined {
  return queries.get<EntryRow>(`${ENTRIES} WHERE id = ?`, id);
}

/** @returns the facts named by `factsNeeded` */
export function factsOf(
  at: LedgerMoment,
  request: MoneyRequest,
  conditions: IntentConditions,
): Facts {
  const { attempts, balanceOf } = factsNeeded(request, conditions);
  return {
    attempts: attempts ? attemptsAt(at, request, attempts) : [],
    balance:
      balanceOf === undefined
        ? undefined
        : balanceOfPurchase(
            at,
            request.account,
            balanceOf,
            conditions.line && { ...conditions.line, operation: request.operation },
          ),
  };
}

const ATTEMPTS_WITH_REFERENCE = `
  ${ENTRIES}
   WHERE target IS :target AND reference = :reference AND state IN ('sending', 'unknown', 'done')
     AND (state = 'done' OR NOT superseded OR NOT :isLine)
     AND operation = :operation AND account = :account ORDER BY created_at, rowid`;
const ATTEMPTS_WITHOUT_REFERENCE = `
  ${ENTRIES}
   WHERE target IS :target AND amount IS :amount AND reference IS NULL
     AND state IN ('sending', 'unknown', 'done')
     AND (state <> 'done' OR :isLine OR created_at > :since)
     AND (state = 'done' OR NOT superseded OR NOT :isLine)
     AND operation = :operation AND account = :account ORDER BY created_at, rowid`;

/** Reads `Facts.attempts`. */
export function attemptsAt(
  at: LedgerMoment,
  { target, reference, amount, operation, account }: MoneyRequest,
  how: NonNullable<FactsNeeded['attempts']>,
): LedgerEntry[] {
  const asked = { target, operation, account, isLine: how === 'of-line' };
  if (reference !== null) return entries(at, ATTEMPTS_WITH_REFERENCE, { ...asked, reference });
  const since = laterInstant(at.now, -SAME_WITHIN_MS);
  return entries(at, ATTEMPTS_WITHOUT_REFERENCE, { ...asked, amount, since });
}

const PAID = `
  SELECT amount FROM records
   WHERE id = ? AND kind = 'purchase' AND amount >= 0 AND account = ?`;
/** A sum of integers can overflow, a sum of reals cannot. Refunds may add up to more than the largest amount. */
const GIVEN_BACK = `
  SELECT coalesce(sum(CASE state WHEN 'done' THEN amount + 0.0 END), 0) AS refunded,
         coalesce(sum(CASE state WHEN 'done' THEN 0 ELSE amount + 0.0 END), 0) AS uncertain
    FROM money_requests
   WHERE target = :purchase AND refund_of = :purchase AND account = :account
     AND state IN ('sending', 'unknown', 'done')
     AND NOT (operation IS :operation AND batch IS :batch AND line IS :line
              AND occurrence IS :occurrence AND batch IS NOT NULL)`;

/**
 * @param except a line whose own attempts do not count
 * @returns undefined if the ledger does not know the paid amount
 */
function balanceOfPurchase(
  { queries }: LedgerMoment,
  account: string | null,
  purchase: string,
  except?: BatchLine & Pick<MoneyRequest, 'operation'>,
): PurchaseBalance | undefined {
  const seen = queries.get<{ amount: number }>(PAID, purchase, account);
  if (!seen) return undefined;
  const { operation = null, batch = null, line = null, occurrence = null } = except ?? {};
  const asked = { purchase, account, operation, batch, line, occurrence };
  return { paid: seen.amount, ...queries.one<Omit<PurchaseBalance, 'paid'>>(GIVEN_BACK, asked) };
}

/** Implements `Ledger.balances`. */
export function balancesOf(
  at: LedgerMoment,
  account: string | null,
  purchases: readonly string[],
): Map<string, PurchaseBalance> {
  const known = new Map<string, PurchaseBalance>();
  for (const purchase of purchases) {
    const balance = balanceOfPurchase(at, account, purchase);
    if (balance) known.set(purchase, balance);
  }
  return known;
}

/** Implements `Ledger.list`. */
export function listEntries(
  at: LedgerMoment,
  { unresolved = false, of, limit }: EntryFilter,
): LedgerEntry[] {
  // A clause that a value can turn off would keep SQLite from using its indexes.
  const clauses = [
    ...(unresolved ? ["state IN ('sending', 'unknown')"] : []),
    ...(of ? ['account = :account'] : []),
  ];
  const where = clauses.length === 0 ? '' : `WHERE ${clauses.join(' AND ')}`;
  const sql = `${ENTRIES} ${where} ORDER BY created_at DESC, rowid DESC LIMIT :limit`;
  return entries(at, sql, { ...(of && { account: of.account }), limit });
}

/** Implements `Ledger.find`. No character of an id sorts after z, so the range uses the index of ids. */
export function entriesThatBegin(at: LedgerMoment, id: string): LedgerEntry[] {
  return entries(
    at,
    `${ENTRIES} WHERE id >= :id AND id < :id || 'zz' AND substr(id, 1, length(:id)) = :id LIMIT 2`,
    { id },
  );
}

/** Implements `Ledger.entries`. */
export function entriesOf(at: LedgerMoment, ids: readonly string[]): LedgerEntry[] {
  const found = entries(at, `${ENTRIES} WHERE id IN (SELECT value FROM json_each(:ids))`, { ids });
  const byId = new Map(found.map((entry) => [entry.id, entry]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/**
 * Implements `Ledger.isMadeByAnother`.
 * @param except 'alike' ignores entries with the same reference, operation, target and amount
 */
export function isMadeByAnother(
  { queries }: LedgerMoment,
  recordId: string,
  entryId: string,
  except?: 'alike',
): boolean {
  // CROSS JOIN looks for the other entry first, and hardly ever finds one.
  const made = queries.get(
    `SELECT 1 FROM money_requests AS other CROSS JOIN money_requests AS own ON own.id = :entryId
      WHERE other.record_id = :recordId AND other.id <> own.id AND other.account = own.account
        AND other.state IN ('done', 'declined') AND other.${MADE_IT}
        AND NOT (:exceptAlike AND other.operation = own.operation
                 AND coalesce(other.reference = own.reference, false)
                 AND other.target IS own.target AND other.amount IS own.amount)
      LIMIT 1`,
    { recordId, entryId, exceptAlike: except === 'alike' },
  );
  return made !== undefined;
}

/**
 * Ranks the attempts at each line from 1: the most certain first, then the newest. `started` is when the line was first
 * sent.
 */
const attempts = (where: string) => `
  (SELECT *, coalesce(refund_of, record_id) AS purchase,
          min(created_at) OVER attempts AS started,
          min(rowid) OVER attempts AS first_number,
          row_number() OVER (attempts ORDER BY
            CASE state WHEN 'done' THEN 0 WHEN 'sending' THEN 1 WHEN 'unknown' THEN 2 ELSE 3 END,
            created_at DESC, rowid DESC) AS place
     FROM money_requests WHERE ${where}
   WINDOW attempts AS (PARTITION BY account, operation, batch, line, occurrence))`;
const OF_BATCH = 'account = :account AND operation = :operation AND batch = :batch';

/** Implements `Ledger.batches`. */
export function batchParts({ queries, now, processes }: LedgerMoment): BatchPart[] {
  const parts = queries.all<BatchPart & { owner: string | null }>(
    `SELECT batch, account, operation, profile, environment, host, state, currency, operator,
            CASE state WHEN 'sending' THEN owner END AS owner, count(*) AS lines,
            sum(amount + 0.0) AS amount, min(started) AS first, max(created_at) AS last
       FROM ${attempts('batch IS NOT NULL')}
      WHERE place = 1
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10`,
  );
  return parts.map(({ owner, ...part }) => {
    const sent = { state: part.state, owner, createdAt: part.last, sendsUntil: null };
    const state: EntryState = isAbandoned(sent, now, processes) ? 'unknown' : part.state;
    return { ...part, state };
  });
}

/** Implements `Ledger.batchEntries`. */
export function batchEntryIds({ queries }: LedgerMoment, batch: BatchKey): string[] {
  const { account, operation, batch: name } = batch;
  const rows = queries.all<{ id: string }>(
    `SELECT id FROM ${attempts(OF_BATCH)} WHERE place = 1 ORDER BY first_number`,
    { account, operation, batch: name },
  );
  return rows.map(({ id }) => id);
}

/** Implements `Ledger.openAmounts`. */
export function openAmounts({ queries }: LedgerMoment, batch: BatchKey): OpenAmount[] {
  const { account, operation, batch: name } = batch;
  return queries.all<OpenAmount>(
    `SELECT purchase, sum(amount + 0.0) AS amount FROM ${attempts(OF_BATCH)}
      WHERE place = 1 AND state = 'done' AND currency IS NULL AND purchase IS NOT NULL
        AND amount IS NOT NULL
      GROUP BY purchase ORDER BY min(first_number)`,
    { account, operation, batch: name },
  );
}

/** Implements `Ledger.remembered`. */
export function recordsSeen(
  { queries }: LedgerMoment,
  { kind, id, of }: WantedRecords,
  limit: number,
): RememberedRecord[] {
  // A clause that a value can turn off would keep SQLite from using its index of ids.
  const asked = {
    ...(id !== undefined && { id }),
    ...(kind !== undefined && { kind }),
    ...(of && { account: of.account }),
  };
  const clauses = Object.keys(asked).map((name) => `${name} = :${name}`);
  const where = clauses.length === 0 ? '' : `WHERE ${clauses.join(' AND ')}`;
  return records(queries, `${where} ORDER BY last_seen_at DESC, id LIMIT :limit`, {
    ...asked,
    limit,
  });
}

function records(queries: Queries, clauses: string, values: SqlValues = {}): RememberedRecord[] {
  const rows = queries.all<RememberedRow>(
    `SELECT account, profile, environment, host, kind, id, reference, name, last_four AS lastFour,
            amount, seen_by AS seenBy, record, deeds, first_seen_at AS firstSeenAt,
            last_seen_at AS lastSeenAt
       FROM records ${clauses}`,
    values,
  );
  return rows.map(recordOfRow);
}

/** Implements `Ledger.currencies`. */
export function currenciesOf(
  { queries }: LedgerMoment,
  account: string | null,
  purchases: readonly string[],
): Map<string, string> {
  const asked = queries.all<{ id: string; currency: string }>(
    `SELECT record_id AS id, currency FROM money_requests
      WHERE record_id IN (SELECT value FROM json_each(:ids)) AND account = :account
        AND currency IS NOT NULL AND refund_of IS NULL`,
    { ids: purchases, account },
  );
  const seen = queries.all<{ id: string; record: string }>(
    `SELECT id, record FROM records
      WHERE id IN (SELECT value FROM json_each(:ids)) AND kind = 'purchase' AND account = :account`,
    { ids: purchases, account },
  );
  const known = new Map(asked.map(({ id, currency }) => [id, currency]));
  for (const { id, record } of seen) {
    const { currency } = JSON.parse(record) as JsonObject;
    if (typeof currency === 'string') known.set(id, currency);
  }
  return known;
}

/** Implements `Ledger.purchaseOf`. */
export function purchaseOfRefund(
  { queries }: LedgerMoment,
  account: string | null,
  refund: string,
): string | undefined {
  const made = queries.get<{ purchase: string }>(
    `SELECT refund_of AS purchase FROM money_requests
      WHERE record_id = ? AND refund_of IS NOT NULL AND account = ?`,
    refund,
    account,
  );
  return made?.purchase;
}

/** Implements `Ledger.accountOf`. */
export function accountOfProfile(
  { queries }: Pick<LedgerMoment, 'queries'>,
  { profile, environment }: Parameters<Ledger['accountOf']>[0],
): string | null {
  const newest = (table: string, time: string) => `
    SELECT * FROM (
      SELECT account, ${time} AS at FROM ${table}
       WHERE profile = :profile AND environment = coalesce(:environment, environment)
       ORDER BY ${time} DESC LIMIT 1)`;
  const used = queries.get<{ account: string }>(
    `${newest('money_requests', 'created_at')} UNION ALL ${newest('records', 'last_seen_at')}
      ORDER BY at DESC LIMIT 1`,
    { profile, environment },
  );
  return used?.account ?? null;
}
