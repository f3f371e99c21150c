/**
 * A ledger, as far as a file and a server are alike: the questions of screens, in one SQL (store/sql.ts). Each store adds
 * what moves money, in its own transactions.
 *
 * Tests: test/unit/journal/ledger-cases.ts, test/unit/journal/more-ledger-cases.ts
 */
import { Failure } from '../failure.ts';
import { allRows, firstRow, onlyRow, type SqlValues, toStored, type Work } from '../store/sql.ts';
import type { Owner } from '../things/owner.ts';
import type { PurchaseBalance } from './balance.ts';
import { fitsAt, usedUnder } from './caps.ts';
import { countOlderRows } from './deletions.ts';
import {
  type EntryRow,
  entryOf,
  isAbandoned,
  RECORD_COLUMNS,
  type RememberedRow,
  recordOfRow,
  senderOf,
} from './entries.ts';
import type {
  BatchKey,
  BatchPart,
  EntryFilter,
  EntrySender,
  Ledger,
  LedgerEntry,
  NamedBatch,
  OlderCounts,
  OpenAmount,
  RecordFilter,
  RememberedRecord,
} from './ledger.ts';
import type { AppliedCap, CappedRequests, OverCap } from './rules.ts';
import { balancesOf, entriesIn, entryWithId, type Moment, madeByAnother } from './statements.ts';

/** @returns entries as everybody reads them (`entryOf`) */
function* entries(
  { store, now, processes }: Moment,
  clauses: string,
  values: SqlValues,
): Work<LedgerEntry[]> {
  const rows = yield* allRows<EntryRow>(entriesIn(store, clauses), { ...values, now });
  return rows.map((row) => entryOf(row, processes));
}

/**
 * On a server, an entry that may no longer be sent reads as unknown. In a file, the name of its process tells
 * (`isAbandoned`).
 */
const SENT = {
  sqlite: 'owner, state',
  postgres: `NULL AS owner,
             CASE WHEN state = 'sending' AND sends_until < now() THEN 'unknown' ELSE state END AS state`,
};

/** Identifies a line. */
const LINE = 'account, operation, batch, line, occurrence';

/**
 * A line has several attempts only if one of them did not happen or was sent again, which a file calls superseded. Only
 * lines with the digest of such an attempt are ranked, since ranking takes most of the time.
 */
const MAY_BE_ONE_OF_SEVERAL = {
  sqlite: 'superseded',
  postgres: "(superseded OR state NOT IN ('sending', 'unknown', 'done'))",
};

/** @returns what follows the columns in a query of the attempts in the batches that `batchValues` names */
function attemptsWhere(where: string): string {
  return `FROM json_array_elements_text(:batches::json) AS asked (value)
          /*sqlite CROSS */ JOIN gw.money_requests AS sent
            ON account = value::json ->> 0 AND operation = value::json ->> 1 AND batch = value::json ->> 2
         WHERE ${where}`;
}

function batchValues(batches: readonly BatchKey[]) {
  const named = batches.map((one) => [one.account, one.operation, one.batch].map(toStored));
  return { batches: JSON.stringify(named) };
}

/**
 * @param columns what is selected of them
 * @param clauses what follows: each row of the answer is of lines with several attempts, or of others
 * @returns a query of the attempt that decides each line of some batches: the most certain, else the newest. `started` is
 *   when the line was first sent, and `first_number` the attempt that was.
 */
function decidingAttempts(columns: string, clauses: string, { store }: Moment): string {
  const several = MAY_BE_ONE_OF_SEVERAL[store];
  const isRanked = `line IN (SELECT line ${attemptsWhere(several)})`;
  const attempt = `sent.rowid AS number, sent.id, ${LINE}, currency, operator, amount, created_at,
                   coalesce(refund_of, record_id) AS purchase, ${SENT[store]}`;
  return `
    SELECT ${columns}
      FROM (SELECT ${attempt}, created_at AS started, sent.rowid AS first_number
            ${attemptsWhere(`NOT superseded AND NOT ${isRanked}`)}) AS alone
           ${clauses}
     UNION ALL
    SELECT ${columns}
      FROM (SELECT sent.*, min(created_at) OVER attempts AS started,
                   min(number) OVER attempts AS first_number,
                   row_number() OVER (attempts ORDER BY
                     CASE state WHEN 'done' THEN 0 WHEN 'sending' THEN 1 WHEN 'unknown' THEN 2 ELSE 3 END,
                     created_at DESC, number DESC) AS place
              FROM (SELECT ${attempt} ${attemptsWhere(`NOT superseded AND ${isRanked}`)}
                     UNION ALL
                    SELECT ${attempt} ${attemptsWhere('superseded')}) AS sent
            WINDOW attempts AS (PARTITION BY ${LINE})) AS ranked
     WHERE place = 1 ${clauses}`;
}

/**
 * @param environments those that count; undefined for all
 * @returns the account and environment that the profile last used; undefined if none is known
 */
export function lastUsed(
  profile: string,
  environments?: readonly string[],
): Work<Record<'account' | 'environment', string> | undefined> {
  return firstRow(
    `SELECT account, environment FROM gw.profile_uses
      WHERE profile = :profile ${environments ? 'AND environment = ANY (:environments)' : ''}
      ORDER BY used_at DESC, rowid DESC LIMIT 1`,
    { profile, ...(environments && { environments }) },
  );
}

/** A partial index of both stores has the proposals. */
const OPEN_PROPOSALS = `WHERE proposed_until IS NOT NULL AND state = 'proposed' AND proposed_until > now()
  AND account = :account ORDER BY created_at, rowid`;
const RELEASED_BATCH = `WHERE proposed_until IS NOT NULL AND state = 'released' AND target = :target
  AND proposed_until > now() AND account = :account ORDER BY created_at DESC LIMIT 1`;

export abstract class StoredLedger {
  /** Runs work that only reads. */
  protected abstract ask<Answer>(work: (at: Moment) => Work<Answer>): Promise<Answer>;

  list({ unresolved = false, of, limit }: EntryFilter): Promise<LedgerEntry[]> {
    // A clause that a value can turn off would keep SQLite from using its indexes.
    const conditions = [
      ...(unresolved ? ["state IN ('sending', 'unknown')"] : []),
      ...(of ? ['account = :account'] : []),
    ];
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
    const clauses = `${where} ORDER BY created_at DESC, rowid DESC LIMIT :limit`;
    return this.ask((at) => entries(at, clauses, { ...(of && { account: of.account }), limit }));
  }

  /** No character of an id sorts after z, so the range uses the index of ids, in any collation. */
  find(id: string): Promise<LedgerEntry[]> {
    const where = "id >= :id AND id < :id || 'zz' AND substr(id, 1, length(:id)) = :id";
    return this.ask((at) => entries(at, `WHERE ${where} LIMIT 2`, { id }));
  }

  async entries(ids: readonly string[]): Promise<LedgerEntry[]> {
    const found = await this.ask((at) => entries(at, 'WHERE id = ANY (:ids)', { ids }));
    const byId = new Map(found.map((entry) => [entry.id, entry]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  senderOf(id: string): Promise<EntrySender | undefined> {
    return this.ask(function* (at) {
      const [row] = yield* allRows<EntryRow>(...entryWithId(at, id));
      return row && senderOf(row, at.processes);
    });
  }

  isMadeByAnother(recordId: string, entryId: string): Promise<boolean> {
    return this.ask(function* () {
      return (yield* allRows(...madeByAnother(recordId, entryId))).length > 0;
    });
  }

  batches(): Promise<NamedBatch[]> {
    const newest = (which: string) => `
      SELECT account, operation, batch, max(rowid) AS number FROM gw.money_requests
       WHERE batch IS NOT NULL AND ${which} GROUP BY account, operation, batch`;
    // Each half is in the order of an index of a file.
    return this.ask(() =>
      allRows<NamedBatch>(
        `SELECT batch, account, operation, profile, environment, host FROM gw.money_requests
          WHERE rowid IN (SELECT max(number)
                            FROM (${newest('NOT superseded')} UNION ALL ${newest('superseded')}) AS newest
                           GROUP BY account, operation, batch)
          ORDER BY rowid DESC`,
      ),
    );
  }

  batchParts(batches: readonly BatchKey[]): Promise<BatchPart[]> {
    return this.ask(function* (at) {
      const columns = `batch, account, operation, state, currency, operator,
                       CASE state WHEN 'sending' THEN owner END AS owner, count(*) AS lines,
                       sum(amount + 0.0) AS amount, min(started) AS first, max(created_at) AS last`;
      const parts = yield* allRows<BatchPart & { owner: string | null }>(
        decidingAttempts(columns, 'GROUP BY 1, 2, 3, 4, 5, 6, 7', at),
        batchValues(batches),
      );
      return parts.map(({ owner, ...part }) => {
        const sent = { ...part, owner, createdAt: part.last, sendsUntil: null, readAt: at.now };
        const isGone = at.store === 'sqlite' && isAbandoned(sent, at.processes);
        return isGone ? { ...part, state: 'unknown' } : part;
      });
    });
  }

  batchEntries(batch: BatchKey): Promise<string[]> {
    return this.ask(function* (at) {
      const rows = yield* allRows<{ id: string }>(
        `${decidingAttempts('id, first_number', '', at)} ORDER BY first_number`,
        batchValues([batch]),
      );
      return rows.map(({ id }) => id);
    });
  }

  openAmounts(batch: BatchKey): Promise<OpenAmount[]> {
    return this.ask((at) =>
      allRows<OpenAmount>(
        `SELECT purchase, sum(amount + 0.0) AS amount
           FROM (${decidingAttempts('purchase, amount, first_number, state, currency', '', at)}) AS deciding
          WHERE state = 'done' AND currency IS NULL AND purchase IS NOT NULL AND amount IS NOT NULL
          GROUP BY purchase ORDER BY min(first_number)`,
        batchValues([batch]),
      ),
    );
  }

  remembered({ kind, id, of }: RecordFilter, limit: number): Promise<RememberedRecord[]> {
    // A clause that a value can turn off would keep SQLite from using its index of ids.
    const asked = {
      ...(id !== undefined && { id }),
      ...(kind !== undefined && { kind }),
      ...(of && { account: of.account }),
    };
    const clauses = Object.keys(asked).map((name) => `${name} = :${name}`);
    const where = clauses.length === 0 ? '' : `WHERE ${clauses.join(' AND ')}`;
    return this.ask(function* () {
      const rows = yield* allRows<RememberedRow>(
        `SELECT ${RECORD_COLUMNS} FROM gw.records ${where} ORDER BY last_seen_at DESC, id LIMIT :limit`,
        { ...asked, limit },
      );
      return rows.map(recordOfRow);
    });
  }

  older(before: string): Promise<OlderCounts> {
    return this.ask(() => countOlderRows(before));
  }

  async balances(
    { account }: Pick<Owner, 'account'>,
    purchases: readonly string[],
  ): Promise<Map<string, PurchaseBalance>> {
    if (purchases.length === 0) return new Map();
    const rows = await beforeSending(
      this.ask(() => allRows<PurchaseBalance & { id: string }>(...balancesOf(account, purchases))),
    );
    return new Map(rows.map(({ id, ...balance }) => [id, balance]));
  }

  openProposals(account: string): Promise<LedgerEntry[]> {
    return this.ask((at) => entries(at, OPEN_PROPOSALS, { account }));
  }

  async releasedBatch(account: string, target: string): Promise<LedgerEntry | undefined> {
    const [released] = await this.ask((at) => entries(at, RELEASED_BATCH, { account, target }));
    return released;
  }

  refundedSince(account: string, purchase: string, since: string) {
    return this.ask(() =>
      onlyRow<{ count: number; amount: number }>(
        `SELECT count(*) AS count, coalesce(sum(amount + 0.0), 0) AS amount FROM gw.money_requests
          WHERE target = :purchase AND refund_of = :purchase AND account = :account AND created_at > :since::timestamptz
            AND state IN ('sending', 'unknown', 'done')`,
        { account, purchase, since },
      ),
    );
  }

  usedUnder(requests: CappedRequests, caps: readonly AppliedCap[]): Promise<number[]> {
    return beforeSending(
      this.ask(function* (at) {
        const used: number[] = [];
        for (const cap of caps)
          used.push((yield* onlyRow<{ used: number }>(...usedUnder(at, requests, cap))).used);
        return used;
      }),
    );
  }

  fitsAt(requests: CappedRequests, refused: OverCap): Promise<string | undefined> {
    return this.ask((at) => fitsAt(at, requests, refused));
  }

  currencies(
    { account }: Pick<Owner, 'account'>,
    purchases: readonly string[],
  ): Promise<Map<string, string>> {
    return this.ask(function* () {
      // The word of the gateway comes last, and counts.
      const rows = yield* allRows<{ id: string; currency: string }>(
        `SELECT record_id AS id, currency, false AS is_seen FROM gw.money_requests
          WHERE record_id = ANY (:purchases) AND account = :account AND currency IS NOT NULL
            AND refund_of IS NULL
          UNION ALL
         SELECT id, currency, true AS is_seen FROM gw.records
          WHERE id = ANY (:purchases) AND kind = 'purchase' AND account = :account
            AND currency IS NOT NULL
          ORDER BY is_seen`,
        { account, purchases },
      );
      return new Map(rows.map(({ id, currency }) => [id, currency]));
    });
  }

  purchaseOf({ account }: Pick<Owner, 'account'>, refund: string): Promise<string | undefined> {
    return this.ask(function* () {
      const made = yield* firstRow<{ purchase: string }>(
        `SELECT refund_of AS purchase FROM gw.money_requests
          WHERE record_id = :refund AND refund_of IS NOT NULL AND account = :account
          ORDER BY rowid LIMIT 1`,
        { refund, account },
      );
      return made?.purchase;
    });
  }

  accountOf({ profile, environment }: Parameters<Ledger['accountOf']>[0]): Promise<string | null> {
    return this.ask(function* () {
      const used = yield* lastUsed(profile, environment === null ? undefined : [environment]);
      return used?.account ?? null;
    });
  }
}

/** Turns any failure of the ledger before sending into `guard` with `sent: false`, so the request is not sent. */
export function beforeSending<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    if (!(error instanceof Failure) || error.sent === false) throw error;
    throw error.with({ kind: 'guard', sent: false });
  });
}

/** @returns the failure for an outcome whose entry is gone */
export function entryLost(): Failure {
  return new Failure(
    'entry-lost',
    'The ledger no longer has the entry for this request.',
    'Look up the record before you send it again.',
  );
}
