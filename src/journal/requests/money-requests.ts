/**
 * Money requests: intents, outcomes, and what is looked at before an intent is written. Each of
 * these is for one transaction, so that two processes never both find nothing.
 */

import { randomUUID } from 'node:crypto';
import { SAME_ACCOUNT } from '../../base/account.ts';
import type { JsonObject } from '../../base/json.ts';
import { Failure } from '../../failure.ts';
import { ownerOf } from '../../index/customer-of-purchase.ts';
import { deferFact } from '../../index/deferred.ts';
import { factOfRequest, originOfRequest } from '../../index/document-of-request.ts';
import { NAMED, namedValues, requestIsOurs } from '../../index/scope.ts';
import { addFact, dropFacts, putFact } from '../../index/sqlite/write.ts';
import { MADE_IT } from '../../index/totals.ts';
import type { Queries } from '../../store/sqlite/queries.ts';
import type {
  Author,
  BatchLine,
  BatchPart,
  Destination,
  EntryFilter,
  EntrySender,
  Intended,
  IntentConditions,
  LateOutcome,
  LedgerEntry,
  LineClaim,
  MoneyRequest,
  PurchaseBalance,
  Refused,
  Settlement,
} from '../ledger.ts';
import { amountPaid } from '../records/snapshots.ts';
import { batchParts } from './batch-queries.ts';
import { type Judgement, judgeIntent, SAME_WITHIN_MS } from './judge-intent.ts';
import { isOfSameLine, sentAgain } from './late-outcome.ts';

/** Longer than any request may take: whoever wrote an older intent will not write its outcome. */
const MAX_SENDING_MS = 15 * 60 * 1000;
const OWNER_GONE = {
  state: 'unknown',
  status: null,
  recordId: null,
  message: 'gw ended before the answer came',
} as const;

/** What tells that a process has ended, when it can be told. */
export interface Ownership {
  /** Name of this process. */
  self: string | null;
  isGone(owner: string): boolean | undefined;
}

/** Who asks and writes, when, and how. */
export interface Writer {
  /** The facts of what is settled are written later. */
  isDeferring: boolean;
  owners: Ownership;
  author: Author | undefined;
  now: Date;
}

/** An entry with the name of the process that sends it, and its body as JSON. */
type Row = Omit<LedgerEntry, 'body'> & { body: string; owner: string | null };

const ENTRIES = `
  SELECT id, created_at AS createdAt, account, profile, environment, host, operation, target,
         refund_of AS refundOf, amount, currency, reference, body, state, settled_at AS settledAt,
         status, record_id AS recordId, message, operator, machine, batch, line,
         resolution, resolved_by AS resolvedBy, owner
    FROM money_requests`;

/**
 * Whole, since the text of a statement that is put together for each line is not found again at once. With the
 * index by name, since SQLite would take that of refunds, which has many entries for one purchase.
 */
const STILL_COUNTS = `
  AND state IN ('sending', 'unknown', 'done') AND (state = 'done' OR superseded <= :superseded)
  AND operation = :operation AND ${SAME_ACCOUNT} ORDER BY created_at, rowid`;
const OF_REFERENCE = `${ENTRIES} INDEXED BY money_requests_by_content
  WHERE reference = :reference AND target IS :target ${STILL_COUNTS}`;
const ALIKE = `${ENTRIES} INDEXED BY money_requests_without_reference
  WHERE reference IS NULL AND target IS :target AND amount IS :amount
    AND (state <> 'done' OR created_at > :since) ${STILL_COUNTS}`;
const ENDED = `${ENTRIES} INDEXED BY money_requests_ended
  WHERE line = :line AND state IN ('declined', 'rejected') AND batch IS NOT NULL
    AND created_at > :since AND owner IS NOT :self AND operation = :operation
    AND ${SAME_ACCOUNT} ORDER BY created_at DESC, rowid DESC`;
/** A total, unlike a sum, has no number at which it fails: refunds may come to more than any amount. */
const GIVEN_BACK = `
  SELECT total(CASE state WHEN 'done' THEN amount END) AS refunded,
         total(CASE state WHEN 'done' THEN 0 ELSE amount END) AS uncertain
    FROM money_requests INDEXED BY money_requests_by_refund_of
   WHERE state IN ('sending', 'unknown', 'done')
     AND refund_of = :purchase AND ${SAME_ACCOUNT}
     AND NOT (batch IS :batch AND line IS :line AND batch IS NOT NULL)`;

export class MoneyRequests {
  readonly #queries: Queries;
  readonly #owners: Ownership;
  readonly #author: Author | undefined;
  readonly #now: Date;
  readonly #isDeferring: boolean;

  constructor(queries: Queries, { owners, author, now, isDeferring }: Writer) {
    this.#isDeferring = isDeferring;
    this.#queries = queries;
    this.#owners = owners;
    this.#author = author;
    this.#now = now;
  }

  intend(request: MoneyRequest, conditions: IntentConditions | undefined): Intended {
    const { refused, retried } = this.#judge(request, conditions);
    if (refused) return refused;
    if (retried) this.#queries.update('money_requests', { superseded: 1 }, { id: retried.id });
    const { refundOf, body, ...same } = request;
    const id = randomUUID();
    this.#queries.insert('money_requests', {
      id,
      created_at: this.#now.toISOString(),
      ...same,
      refund_of: refundOf,
      body: JSON.stringify(body),
      state: 'sending',
      owner: this.#owners.self,
      operator: this.#author?.operator ?? null,
      machine: this.#author?.machine ?? null,
      batch: conditions?.line?.batch ?? null,
      line: conditions?.line?.line ?? null,
    });
    return { kind: 'recorded', id };
  }

  #index(id: string): void {
    if (this.#isDeferring) deferFact(this.#queries, 'request', id);
    else indexRequest(this.#queries, id);
  }

  /** Writes nothing. */
  foresee(request: MoneyRequest, conditions: IntentConditions): Refused | undefined {
    return this.#judge(request, conditions).refused;
  }

  #judge(request: MoneyRequest, conditions: IntentConditions | undefined): Judgement {
    return judgeIntent(request, conditions, {
      attempts: () => this.#attemptsAtTheSame(request, conditions?.line !== undefined),
      ended: () => this.#endedOf(request, conditions?.line),
      balance: () => this.balance(request, request.refundOf ?? '', conditions?.line),
    });
  }

  /**
   * With all amounts, or without a reference with the same: another one is no conflict then.
   * @param asLine as a line is known, for as long as there is a ledger
   */
  #attemptsAtTheSame(request: MoneyRequest, asLine: boolean): LedgerEntry[] {
    const { target, reference, amount, operation, account, profile, host } = request;
    const asked = { target, operation, account, profile, host, superseded: asLine ? 0 : 1 };
    if (reference !== null) return this.#findAll(OF_REFERENCE, { ...asked, reference });
    const since = new Date(this.#now.getTime() - SAME_WITHIN_MS).toISOString();
    return this.#findAll(ALIKE, { ...asked, amount, since: asLine ? '' : since });
  }

  #endedOf(
    { operation, account, profile, host }: MoneyRequest,
    line: LineClaim | undefined,
  ): LedgerEntry[] {
    if (line?.since === undefined) return [];
    return this.#findAll(ENDED, {
      ...{ operation, account, profile, host },
      line: line.line,
      since: line.since,
      self: this.#owners.self,
    });
  }

  #findAll(sql: string, values: Readonly<Record<string, string | number | null>>): LedgerEntry[] {
    return this.#queries
      .all<Row>(sql, values)
      .map((row) => ({ ...entryOf(row), ...(this.#isAbandoned(row) && OWNER_GONE) }));
  }

  /** An entry that is still sending, and whose process has ended, is not: it is unknown. */
  #isAbandoned({ state, owner, createdAt }: Pick<Row, 'state' | 'owner' | 'createdAt'>): boolean {
    if (state !== 'sending') return false;
    const isGone = owner === null ? undefined : this.#owners.isGone(owner);
    return isGone ?? this.#now.getTime() - Date.parse(createdAt) > MAX_SENDING_MS;
  }

  /**
   * @returns what was resolved meanwhile
   * @throws Failure guard when the entry is gone
   */
  settle(id: string, { recordId, ...same }: Settlement): LateOutcome | undefined {
    const [before] = this.#findAll(`${ENTRIES} WHERE id = :id AND resolution IS NOT NULL`, { id });
    // Somebody has found out what the answer does not say.
    if (before && same.state === 'unknown') return undefined;
    const again = before && sentAgain(before, this.#attemptsAtTheSame(before, true));
    const outcome = { ...same, record_id: recordId, settled_at: this.#now.toISOString() };
    // The line is the other's.
    const makesRoom = again && isOfSameLine(before, again) && { superseded: 1 };
    this.#queries.update('money_requests', { ...outcome, ...makesRoom }, { id });
    if (this.#queries.changes() === 1) {
      this.#index(id);
      return before && { before, state: same.state, again };
    }
    throw new Failure('guard', 'The ledger no longer has the entry for this request.', {
      code: 'entry-lost',
      next: 'Look up the record before you send it again.',
    });
  }

  /** Removes every entry of a profile. */
  forget(profile: string): void {
    this.#queries.run('DELETE FROM money_requests WHERE profile = ?', profile);
    dropFacts(this.#queries, "profile = ? AND kind = 'request'", profile);
  }

  /** @returns as `Ledger.resolve` */
  resolve(id: string, settlement: Settlement, resolution: string, isSenderGone: boolean): boolean {
    const row = this.#queries.get<Row>(`${ENTRIES} WHERE id = ?`, id);
    const sender = row && this.#senderOf(row);
    const isOver = sender ? isSenderGone && !sender.isRunning : row?.state === 'sending';
    if (isOver) this.settle(id, OWNER_GONE);
    this.#queries.run(
      `UPDATE money_requests
          SET state = :state, settled_at = :settledAt, status = coalesce(:status, status),
              record_id = coalesce(:recordId, record_id), message = coalesce(:message, message),
              resolution = :resolution, resolved_by = :resolvedBy
        WHERE id = :id AND state = 'unknown'`,
      {
        ...settlement,
        settledAt: this.#now.toISOString(),
        resolution,
        resolvedBy: this.#author?.operator ?? null,
        id,
      },
    );
    const isResolved = this.#queries.changes() === 1;
    this.#index(id);
    return isResolved;
  }

  senderOf(id: string): EntrySender | undefined {
    const row = this.#queries.get<Row>(`${ENTRIES} WHERE id = ?`, id);
    return row && this.#senderOf(row);
  }

  #senderOf(row: Row): EntrySender | undefined {
    if (row.state !== 'sending' || this.#isAbandoned(row)) return undefined;
    const isRunning = row.owner !== null && this.#owners.isGone(row.owner) === false;
    return { process: row.owner, isRunning };
  }

  list({ unresolved = false, scope, limit }: EntryFilter): LedgerEntry[] {
    const open = unresolved ? "state IN ('sending', 'unknown')" : '1';
    const where = scope ? `${open} AND ${requestIsOurs(NAMED)}` : open;
    const sql = `${ENTRIES} WHERE ${where} ORDER BY created_at DESC, rowid DESC LIMIT :limit`;
    return this.#findAll(sql, { ...(scope && namedValues(scope)), limit });
  }

  find(id: string): LedgerEntry[] {
    // By the index of ids, which have no letter as late as `~`.
    return this.#findAll(`${ENTRIES} WHERE id >= :id AND id < :id || '~' LIMIT 2`, { id });
  }

  entries(ids: readonly string[]): LedgerEntry[] {
    return ids.flatMap((id) => this.#findAll(`${ENTRIES} WHERE id = :id`, { id }));
  }

  batches(): BatchPart[] {
    return batchParts(this.#queries, (row) => this.#isAbandoned({ ...row, state: 'sending' }));
  }

  isMadeByAnother(recordId: string, entryId: string): boolean {
    const sql = `SELECT 1 FROM money_requests WHERE record_id = ? AND id <> ?
                  AND state IN ('done', 'declined') AND ${MADE_IT} LIMIT 1`;
    return this.#queries.get(sql, recordId, entryId) !== undefined;
  }

  /** @param except a line whose own attempts do not count */
  balance(
    { account, profile, host }: Destination,
    purchase: string,
    except?: BatchLine,
  ): PurchaseBalance | undefined {
    const paid = amountPaid(this.#queries, { account, profile, host }, purchase);
    if (paid === undefined) return undefined;
    const sums = this.#queries.one<Omit<PurchaseBalance, 'paid'>>(GIVEN_BACK, {
      ...{ account, profile, host, purchase },
      ...lineOf(except),
    });
    return { paid, ...sums };
  }

  /** Unresolved entries stay, whatever their age. */
  prune(before: string): { entries: number; unresolved: number } {
    dropFacts(
      this.#queries,
      `kind = 'request' AND id IN (
         SELECT id FROM money_requests
          WHERE created_at < ? AND state NOT IN ('sending', 'unknown'))`,
      before,
    );
    this.#queries.run(
      "DELETE FROM money_requests WHERE created_at < ? AND state NOT IN ('sending', 'unknown')",
      before,
    );
    const entries = this.#queries.changes();
    const left = this.#queries.one<{ unresolved: number }>(
      'SELECT count(*) AS unresolved FROM money_requests WHERE created_at < ?',
      before,
    );
    return { entries, ...left };
  }
}

/** Writes the fact of an entry as it is by now. */
export function indexRequest(queries: Queries, id: string, put = putFact): void {
  const row = queries.get<Row>(`${ENTRIES} WHERE id = ?`, id);
  if (!row) return;
  const entry = entryOf(row);
  const isByName = entry.target !== null && entry.body.card_number === undefined;
  const owner = isByName ? ownerOf(queries, entry.target ?? '') : undefined;
  put(queries, originOfRequest(id), factOfRequest(entry, owner));
}

/**
 * A request becomes a fact when its outcome is written, so that an intent waits for nothing but itself.
 * What has no outcome yet is made one before anybody searches.
 * @returns ids of the entries that are no facts so far
 */
export function unindexedRequests(queries: Queries): string[] {
  return queries
    .all<{ id: string }>(
      `SELECT id FROM money_requests
        WHERE state IN ('sending', 'unknown')
          AND NOT EXISTS (SELECT 1 FROM facts WHERE origin = 'request ' || money_requests.id)`,
    )
    .map(({ id }) => id);
}

/**
 * Writes the facts of requests again whose name is known from records and events that have changed.
 * @param isTheirs whether a name is one that it is about
 */
export function reindexRequestsOf(queries: Queries, isTheirs: (who: string) => boolean): void {
  const named = queries.all<{ id: string; who: string }>(
    "SELECT id, who FROM facts WHERE kind = 'request' AND who IS NOT NULL",
  );
  for (const { id, who } of named) if (isTheirs(who)) indexRequest(queries, id);
}

/** Writes the facts of all entries into an index that was cleared. */
export function indexRequests(queries: Queries): void {
  for (let after = 0; ; ) {
    const rows = queries.all<{ number: number; id: string }>(
      'SELECT rowid AS number, id FROM money_requests WHERE rowid > ? ORDER BY rowid LIMIT 1000',
      after,
    );
    for (const { number, id } of rows) {
      indexRequest(queries, id, addFact);
      after = number;
    }
    if (rows.length === 0) return;
  }
}

function lineOf(line: BatchLine | undefined) {
  return { batch: line?.batch ?? null, line: line?.line ?? null };
}

function entryOf({ owner: _, body, ...entry }: Row): LedgerEntry {
  return { ...entry, body: JSON.parse(body) as JsonObject };
}
