/**
 * Questions to a ledger on a server. `run` asks them on a connection or in a transaction. A NULL value is compared with
 * `IS NULL`, because no index supports `IS NOT DISTINCT FROM`. The server then drops the part of the condition that the
 * value decides.
 */

import type { JsonObject } from '../../base/json.ts';
import type { PostgresValue, RunStatement } from '../../store/postgres/server.ts';
import { MADE_IT } from '../../things/totals.ts';
import type { PurchaseBalance } from '../balance.ts';
import {
  type EntryRow,
  entryOf,
  type RememberedRow,
  recordOfRow,
  type SendingProcesses,
} from '../entries.ts';
import { type Facts, type FactsNeeded, factsNeeded, SAME_WITHIN_MS } from '../judge-intent.ts';
import type {
  BatchKey,
  BatchLine,
  BatchPart,
  EntryFilter,
  IntentConditions,
  Ledger,
  LedgerEntry,
  MoneyRequest,
  OpenAmount,
  RememberedRecord,
  WantedRecords,
} from '../ledger.ts';
import { allOf } from './ledger-transaction.ts';

/** Entries on a server name no process; each says until when it may be sent. */
export const BY_TIME: SendingProcesses = { self: null, isGone: () => undefined };

/** An entry as stored, with the server's time (ISO 8601, UTC). */
interface FoundEntry {
  row: EntryRow;
  now: string;
}

const ENTRIES = `
  SELECT id, created_at AS "createdAt", account, profile, environment, host, operation, target,
         refund_of AS "refundOf", amount, currency, reference, body, note, state,
         settled_at AS "settledAt", status, record_id AS "recordId", message, operator, machine,
         batch, line, occurrence, resolution, resolved_by AS "resolvedBy",
         entered_by AS "enteredBy", entered_at AS "enteredAt", sends_until AS "sendsUntil",
         now() AS now
    FROM gw.money_requests`;

async function found(
  run: RunStatement,
  sql: string,
  values: readonly PostgresValue[],
): Promise<FoundEntry[]> {
  const rows = await run<Omit<EntryRow, 'owner'> & { now: string }>(sql, values);
  return rows.map(({ now, ...row }) => ({ row: { ...row, owner: null }, now }));
}

/** @returns entries as everybody reads them (`entryOf`) */
async function entries(
  run: RunStatement,
  sql: string,
  values: readonly PostgresValue[],
): Promise<LedgerEntry[]> {
  const rows = await found(run, sql, values);
  return rows.map(({ row, now }) => entryOf(row, now, BY_TIME));
}

/** @returns an entry as stored */
export async function entryRow(run: RunStatement, id: string): Promise<FoundEntry | undefined> {
  const [entry] = await found(run, `${ENTRIES} WHERE id = $1`, [id]);
  return entry;
}

/** @returns the facts named by `factsNeeded` */
export async function factsOf(
  run: RunStatement,
  request: MoneyRequest,
  conditions: IntentConditions,
): Promise<Facts> {
  const { attempts, balanceOf } = factsNeeded(request, conditions);
  const { account, operation } = request;
  const own = conditions.line && { ...conditions.line, operation };
  const [attempted, balances] = await allOf([
    attempts ? attemptsAt(run, request, attempts) : [],
    balancesOf(run, account, balanceOf === undefined ? [] : [balanceOf], own),
  ]);
  return { attempts: attempted, balance: balances.get(balanceOf ?? '') };
}

/**
 * For a line, takes all done attempts, and others only if they are not superseded. For a single request, superseded
 * attempts count too.
 */
const ATTEMPTS = `${ENTRIES}
   WHERE account = $1 AND operation = $2 AND (target = $3 OR target IS NULL AND $3::text IS NULL)
     AND state IN ('sending', 'unknown', 'done') AND (state = 'done' OR NOT superseded OR NOT $4)`;
const WITH_REFERENCE = `${ATTEMPTS} AND reference = $5 ORDER BY created_at, number`;
const WITHOUT_REFERENCE = `${ATTEMPTS} AND reference IS NULL
     AND (amount = $5 OR amount IS NULL AND $5::bigint IS NULL)
     AND (state <> 'done' OR $4 OR created_at > now() - interval '${SAME_WITHIN_MS} milliseconds')
   ORDER BY created_at, number`;

/** Reads `Facts.attempts`. */
export function attemptsAt(
  run: RunStatement,
  { account, operation, target, reference, amount }: MoneyRequest,
  how: NonNullable<FactsNeeded['attempts']>,
): Promise<LedgerEntry[]> {
  const asked = [account, operation, target, how === 'of-line'];
  return reference === null
    ? entries(run, WITHOUT_REFERENCE, [...asked, amount])
    : entries(run, WITH_REFERENCE, [...asked, reference]);
}

/** The sum of `bigint` is a `numeric`, which has no limit. Refunds may add up to more than the largest amount. */
const BALANCES = `
  SELECT seen.id, seen.amount AS paid,
         coalesce(sum(given.amount) FILTER (WHERE given.state = 'done'), 0) AS refunded,
         coalesce(sum(given.amount) FILTER (WHERE given.state <> 'done'), 0) AS uncertain
    FROM gw.records AS seen
    LEFT JOIN gw.money_requests AS given
      ON given.refund_of = seen.id AND given.account = seen.account
     AND given.state IN ('sending', 'unknown', 'done')
     AND NOT coalesce(given.operation = $3 AND given.batch = $4 AND given.line = $5
                      AND given.occurrence = $6, false)
   WHERE seen.account = $1 AND seen.kind = 'purchase' AND seen.id = ANY ($2::text[])
     AND seen.amount >= 0
   GROUP BY seen.id, seen.amount`;

/**
 * Implements `Ledger.balances`.
 * @param except a line whose own attempts do not count
 */
export async function balancesOf(
  run: RunStatement,
  account: string | null,
  purchases: readonly string[],
  except?: BatchLine & Pick<MoneyRequest, 'operation'>,
): Promise<Map<string, PurchaseBalance>> {
  if (purchases.length === 0) return new Map();
  const { operation = null, batch = null, line = null, occurrence = null } = except ?? {};
  const rows = await run<PurchaseBalance & { id: string }>(BALANCES, [
    account,
    purchases,
    operation,
    batch,
    line,
    occurrence,
  ]);
  return new Map(rows.map(({ id, ...balance }) => [id, balance]));
}

/** Implements `Ledger.time`. */
export async function serverTime(run: RunStatement): Promise<string> {
  const [answer] = await run<{ now: string }>('SELECT now() AS now');
  return answer?.now ?? '';
}

/** Implements `Ledger.list`. */
export function listEntries(
  run: RunStatement,
  { unresolved = false, of, limit }: EntryFilter,
): Promise<LedgerEntry[]> {
  return entries(
    run,
    `${ENTRIES}
      WHERE ${unresolved ? "state IN ('sending', 'unknown')" : 'true'} AND ($1 OR account = $2)
      ORDER BY created_at DESC, number DESC LIMIT $3`,
    [of === undefined, of?.account ?? null, limit],
  );
}

/**
 * Implements `Ledger.find`. No character of an id sorts after z, so the range uses the index of ids, in any collation.
 */
export function entriesThatBegin(run: RunStatement, id: string): Promise<LedgerEntry[]> {
  return entries(
    run,
    `${ENTRIES} WHERE id >= $1 AND id < $1 || 'zz' AND substr(id, 1, length($1)) = $1 LIMIT 2`,
    [id],
  );
}

/** Implements `Ledger.entries`. */
export async function entriesOf(run: RunStatement, ids: readonly string[]): Promise<LedgerEntry[]> {
  const some = await entries(run, `${ENTRIES} WHERE id = ANY ($1::text[])`, [ids]);
  const byId = new Map(some.map((entry) => [entry.id, entry]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/**
 * Implements `Ledger.isMadeByAnother`.
 * @param except 'alike' ignores entries with the same reference, operation, target and amount
 */
export async function isMadeByAnother(
  run: RunStatement,
  recordId: string,
  entryId: string,
  except?: 'alike',
): Promise<boolean> {
  const made = await run(
    `SELECT 1 FROM gw.money_requests AS other JOIN gw.money_requests AS own ON own.id = $2
      WHERE other.record_id = $1 AND other.id <> own.id AND other.account = own.account
        AND other.state IN ('done', 'declined') AND other.${MADE_IT}
        AND NOT ($3 AND other.operation = own.operation
                 AND coalesce(other.reference = own.reference, false)
                 AND other.target IS NOT DISTINCT FROM own.target
                 AND other.amount IS NOT DISTINCT FROM own.amount)
      LIMIT 1`,
    [recordId, entryId, except === 'alike'],
  );
  return made.length > 0;
}

/**
 * Ranks the attempts at each line from 1: the most certain first, then the newest. `started` is when the line was first
 * sent.
 */
const attempts = (where: string) => `
  (SELECT sent.*, min(created_at) OVER line AS started, min(number) OVER line AS first_number,
          row_number() OVER (line ORDER BY
            CASE state WHEN 'done' THEN 0 WHEN 'sending' THEN 1 WHEN 'unknown' THEN 2 ELSE 3 END,
            created_at DESC, number DESC) AS place
     FROM (SELECT number, id, batch, line, occurrence, account, operation, profile, environment,
                  host, currency, operator, amount, created_at,
                  coalesce(refund_of, record_id) AS purchase,
                  CASE WHEN state = 'sending' AND sends_until < now() THEN 'unknown'
                       ELSE state END AS state
             FROM gw.money_requests WHERE ${where}) AS sent
   WINDOW line AS (PARTITION BY account, operation, batch, line, occurrence)) AS attempts`;
const OF_BATCH = 'account = $1 AND operation = $2 AND batch = $3';

/** Implements `Ledger.batches`. */
export function batchParts(run: RunStatement): Promise<BatchPart[]> {
  return run(
    `SELECT batch, account, operation, profile, environment, host, state, currency, operator,
            count(*) AS lines, sum(amount) AS amount, min(started) AS first, max(created_at) AS last
       FROM ${attempts('batch IS NOT NULL')}
      WHERE place = 1
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9`,
  );
}

/** Implements `Ledger.batchEntries`. */
export async function batchEntryIds(
  run: RunStatement,
  { account, operation, batch }: BatchKey,
): Promise<string[]> {
  const rows = await run<{ id: string }>(
    `SELECT id FROM ${attempts(OF_BATCH)} WHERE place = 1 ORDER BY first_number`,
    [account, operation, batch],
  );
  return rows.map(({ id }) => id);
}

/** Implements `Ledger.openAmounts`. */
export function openAmounts(
  run: RunStatement,
  { account, operation, batch }: BatchKey,
): Promise<OpenAmount[]> {
  return run(
    `SELECT purchase, sum(amount) AS amount FROM ${attempts(OF_BATCH)}
      WHERE place = 1 AND state = 'done' AND currency IS NULL AND purchase IS NOT NULL
        AND amount IS NOT NULL
      GROUP BY purchase ORDER BY min(first_number)`,
    [account, operation, batch],
  );
}

/** Implements `Ledger.remembered`. */
export async function recordsSeen(
  run: RunStatement,
  { kind, id, of }: WantedRecords,
  limit: number,
): Promise<RememberedRecord[]> {
  const rows = await run<RememberedRow>(
    `SELECT account, profile, environment, host, kind, id, reference, name,
            last_four AS "lastFour", amount, seen_by AS "seenBy", record, deeds,
            first_seen_at AS "firstSeenAt", last_seen_at AS "lastSeenAt"
       FROM gw.records
      WHERE (kind = $1 OR $1::text IS NULL) AND (id = $2 OR $2::text IS NULL)
        AND ($3 OR account = $4)
      ORDER BY last_seen_at DESC, id LIMIT $5`,
    [kind ?? null, id ?? null, of === undefined, of?.account ?? null, limit],
  );
  return rows.map(recordOfRow);
}

/** Implements `Ledger.currencies`. */
export async function currenciesOf(
  run: RunStatement,
  account: string | null,
  purchases: readonly string[],
): Promise<Map<string, string>> {
  const rows = await run<{ id: string; record: string | null; asked: string | null }>(
    `SELECT purchase.id, seen.record, (
              SELECT currency FROM gw.money_requests
               WHERE record_id = purchase.id AND account = $1 AND currency IS NOT NULL
                 AND refund_of IS NULL
               ORDER BY number LIMIT 1) AS asked
       FROM unnest($2::text[]) AS purchase (id)
       LEFT JOIN gw.records AS seen
         ON seen.account = $1 AND seen.kind = 'purchase' AND seen.id = purchase.id`,
    [account, purchases],
  );
  const known = new Map<string, string>();
  for (const { id, record, asked } of rows) {
    const { currency } = JSON.parse(record ?? '{}') as JsonObject;
    const code = typeof currency === 'string' ? currency : asked;
    if (code !== null) known.set(id, code);
  }
  return known;
}

/** Implements `Ledger.purchaseOf`. */
export async function purchaseOfRefund(
  run: RunStatement,
  account: string | null,
  refund: string,
): Promise<string | undefined> {
  const [made] = await run<{ purchase: string }>(
    `SELECT refund_of AS purchase FROM gw.money_requests
      WHERE record_id = $1 AND refund_of IS NOT NULL AND account = $2 ORDER BY number LIMIT 1`,
    [refund, account],
  );
  return made?.purchase;
}

/** Implements `Ledger.accountOf`. */
export async function accountOfProfile(
  run: RunStatement,
  { profile, environment }: Parameters<Ledger['accountOf']>[0],
): Promise<string | null> {
  const newest = (table: string, time: string) => `
    (SELECT account, ${time}::timestamptz AS at FROM gw.${table}
      WHERE profile = $1 AND (environment = $2 OR $2::text IS NULL)
      ORDER BY ${time} DESC LIMIT 1)`;
  const [used] = await run<{ account: string }>(
    `${newest('money_requests', 'created_at')} UNION ALL ${newest('records', 'last_seen_at')}
      ORDER BY at DESC LIMIT 1`,
    [profile, environment],
  );
  return used?.account ?? null;
}

/** Implements `Ledger.requiresJournal`. */
export async function requiresJournal(run: RunStatement): Promise<boolean> {
  const [ledger] = await run<{ requires: boolean }>(
    'SELECT requires_journal AS requires FROM gw.ledger',
  );
  return ledger?.requires ?? false;
}
