/**
 * Money requests: intents, outcomes, and what is looked at before an intent is written. All of it
 * runs inside a transaction of the writer, so that two processes never both find nothing.
 */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../base/json.ts';
import { Failure } from '../failure.ts';
import { numberOrNull, type Row, type Statements, textOrNull } from '../storage/statements.ts';
import type {
  BatchLine,
  Destination,
  Intended,
  IntentConditions,
  LedgerEntry,
  MoneyRequest,
  PurchaseBalance,
  Settlement,
} from './ledger.ts';
import { amountPaid } from './sightings.ts';

/** Longer than any request may take: whoever wrote an older intent will not write its outcome. */
const MAX_SENDING_MS = 15 * 60 * 1000;

/** What tells that a process has ended, when it can be told. */
export interface Ownership {
  /** Name of this process. */
  self: string | null;
  isGone(owner: string): boolean | undefined;
}

export class MoneyRequests {
  readonly #statements: Statements;
  readonly #owners: Ownership;

  constructor(statements: Statements, owners: Ownership) {
    this.#statements = statements;
    this.#owners = owners;
  }

  intend(request: MoneyRequest, conditions: IntentConditions | undefined, now: Date): Intended {
    const refused = conditions && this.#refusal(request, conditions, now);
    if (refused) return refused;
    const id = randomUUID();
    this.#statements.run(
      `INSERT INTO money_requests
         (id, created_at, profile, environment, host, operation, target, amount, currency, reference, body, state, owner, batch, line)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'sending', ?, ?, ?)`,
      id,
      now.toISOString(),
      request.profile,
      request.environment,
      request.host,
      request.operation,
      storable(request.target),
      request.amount,
      storable(request.currency),
      storable(request.reference),
      JSON.stringify(request.body),
      this.#owners.self,
      conditions?.line?.batch ?? null,
      conditions?.line?.line ?? null,
    );
    return { kind: 'recorded', id };
  }

  #refusal(
    request: MoneyRequest,
    { line, noDuplicate, noOverRefund }: IntentConditions,
    now: Date,
  ): Intended | undefined {
    if (line) {
      const held = this.lineEntry(line, now);
      if (held?.state === 'unknown' && line.retryUnknown) {
        this.#statements.run('UPDATE money_requests SET superseded = 1 WHERE id = ?', held.id);
      } else if (held) return { kind: 'held', by: held };
    }
    if (noDuplicate) {
      const same = this.#duplicateOf(request, line, now);
      if (same) return { kind: 'duplicate', of: same };
    }
    if (noOverRefund && request.target !== null) {
      const balance = this.balance(request, request.target, line);
      if (balance && balance.refunded + balance.uncertain + (request.amount ?? 0) > balance.paid)
        return { kind: 'over-refund', balance };
    }
    return undefined;
  }

  /** Without a reference, what succeeded before may well be meant again; what is unknown may not. */
  #duplicateOf(
    request: MoneyRequest,
    line: BatchLine | undefined,
    now: Date,
  ): LedgerEntry | undefined {
    const row = this.#statements.get(
      // By name, since SQLite would take the index of refunds, which has many entries for one purchase.
      `SELECT * FROM money_requests INDEXED BY money_requests_by_content
        WHERE state IN ('sending', 'unknown', 'done')
          AND target IS ? AND reference IS ? AND amount IS ?
          AND (reference IS NOT NULL OR state <> 'done')
          AND operation = ? AND profile = ? AND host = ?
          AND NOT (batch IS ? AND line IS ? AND batch IS NOT NULL)
        ORDER BY state = 'done' DESC, created_at DESC LIMIT 1`,
      storable(request.target),
      storable(request.reference),
      request.amount,
      request.operation,
      request.profile,
      request.host,
      line?.batch ?? null,
      line?.line ?? null,
    );
    return row && this.#looked(entryOf(row), row, now);
  }

  lineEntry({ batch, line }: BatchLine, now: Date): LedgerEntry | undefined {
    const row = this.#statements.get(
      `SELECT * FROM money_requests
        WHERE batch = ? AND line = ? AND superseded = 0 AND batch IS NOT NULL
          AND state IN ('sending', 'unknown', 'done')`,
      batch,
      line,
    );
    return row && this.#looked(entryOf(row), row, now);
  }

  /** An entry that is still sending, and whose process has ended, is not: it is unknown. */
  #looked(entry: LedgerEntry, row: Row, now: Date): LedgerEntry {
    if (!this.#isAbandoned(row, now)) return entry;
    const message = ABANDONED;
    this.settle(entry.id, { state: 'unknown', status: null, recordId: null, message }, now);
    return { ...entry, state: 'unknown', settledAt: now.toISOString(), message };
  }

  /** Settles what processes that have ended left behind. */
  settleAbandoned(now: Date): void {
    const rows = this.#statements.all("SELECT * FROM money_requests WHERE state = 'sending'");
    for (const row of rows) this.#looked(entryOf(row), row, now);
  }

  #isAbandoned(row: Row, now: Date): boolean {
    if (row.state !== 'sending') return false;
    const owner = textOrNull(row.owner);
    const isGone = owner === null ? undefined : this.#owners.isGone(owner);
    return isGone ?? now.getTime() - Date.parse(String(row.created_at)) > MAX_SENDING_MS;
  }

  /** @throws Failure guard when the entry is gone */
  settle(id: string, { state, status, recordId, message }: Settlement, now: Date): void {
    const changes = this.#statements.run(
      'UPDATE money_requests SET state = ?, settled_at = ?, status = ?, record_id = ?, message = ? WHERE id = ?',
      state,
      now.toISOString(),
      status,
      storable(recordId),
      storable(message),
      id,
    );
    if (changes === 1) return;
    throw new Failure('guard', 'The ledger has lost the entry of this request.', {
      next: 'Look the record up before you send it again.',
    });
  }

  /** Removes every entry of a profile. */
  forget(profile: string): void {
    this.#statements.run('DELETE FROM money_requests WHERE profile = ?', profile);
  }

  resolve(id: string, settlement: Settlement, resolution: string, now: Date): boolean {
    const { state, status, recordId, message } = settlement;
    const changed = this.#statements.run(
      `UPDATE money_requests
          SET state = ?, settled_at = ?, status = coalesce(?, status),
              record_id = coalesce(?, record_id), message = coalesce(?, message), resolution = ?
        WHERE id = ? AND state = 'unknown'`,
      state,
      now.toISOString(),
      status,
      recordId,
      message,
      resolution,
      id,
    );
    return changed === 1;
  }

  list(unresolved: boolean, limit: number): LedgerEntry[] {
    const where = unresolved ? "WHERE state IN ('sending', 'unknown')" : '';
    return this.#statements
      .all(
        `SELECT * FROM money_requests ${where} ORDER BY created_at DESC, rowid DESC LIMIT ?`,
        limit,
      )
      .map(entryOf);
  }

  find(id: string): LedgerEntry[] {
    return this.#statements
      .all('SELECT * FROM money_requests WHERE substr(id, 1, length(?)) = ? LIMIT 2', id, id)
      .map(entryOf);
  }

  isMadeByAnother(recordId: string, entryId: string): boolean {
    const sql = 'SELECT 1 FROM money_requests WHERE record_id = ? AND id <> ? LIMIT 1';
    return this.#statements.get(sql, recordId, entryId) !== undefined;
  }

  /** @param except a line whose own attempts do not count */
  balance(
    destination: Destination,
    purchaseId: string,
    except?: BatchLine,
  ): PurchaseBalance | undefined {
    const paid = amountPaid(this.#statements, destination, purchaseId);
    if (paid === undefined) return undefined;
    const row = this.#statements.get(
      `SELECT coalesce(sum(CASE state WHEN 'done' THEN amount END), 0) AS refunded,
              coalesce(sum(CASE state WHEN 'done' THEN 0 ELSE amount END), 0) AS uncertain
         FROM money_requests INDEXED BY money_requests_refunds
        WHERE state IN ('sending', 'unknown', 'done')
          AND target = ? AND operation = 'refund create' AND profile = ? AND host = ?
          AND NOT (batch IS ? AND line IS ? AND batch IS NOT NULL)`,
      purchaseId,
      destination.profile,
      destination.host,
      except?.batch ?? null,
      except?.line ?? null,
    );
    return {
      paid,
      refunded: Number(row?.refunded ?? 0),
      uncertain: Number(row?.uncertain ?? 0),
    };
  }

  /** Unresolved entries stay, whatever their age. */
  prune(before: string): { entries: number; unresolved: number } {
    const row = this.#statements.get(
      "SELECT count(*) AS n FROM money_requests WHERE created_at < ? AND state IN ('sending', 'unknown')",
      before,
    );
    const entries = this.#statements.run(
      "DELETE FROM money_requests WHERE created_at < ? AND state NOT IN ('sending', 'unknown')",
      before,
    );
    return { entries, unresolved: Number(row?.n ?? 0) };
  }
}

const ABANDONED = 'gw ended before the answer came';

function entryOf(row: Row): LedgerEntry {
  const text = (column: string) => row[column] as string;
  return {
    id: text('id'),
    createdAt: text('created_at'),
    profile: text('profile'),
    environment: text('environment'),
    host: text('host'),
    operation: text('operation'),
    target: textOrNull(row.target),
    amount: numberOrNull(row.amount),
    currency: textOrNull(row.currency),
    reference: textOrNull(row.reference),
    body: JSON.parse(text('body')) as JsonObject,
    state: row.state as LedgerEntry['state'],
    settledAt: textOrNull(row.settled_at),
    status: numberOrNull(row.status),
    recordId: textOrNull(row.record_id),
    message: textOrNull(row.message),
    batch: textOrNull(row.batch),
    line: textOrNull(row.line),
    resolution: textOrNull(row.resolution),
  };
}

/** SQLite's text ends at a NUL, so its symbol takes its place; the body has it as it was. */
function storable(text: string | null): string | null {
  return text?.replaceAll('\0', '\u2400') ?? null;
}
