/**
 * The SQL of money requests and records: one text for both stores (store/sql.ts), with its values. Each store runs
 * these itself, in its own transactions, because a line of a batch runs several of them.
 *
 * Tests: test/unit/journal/ledger-cases.ts, test/unit/journal/more-ledger-cases.ts
 */
import { spreadsheetKey, spreadsheetKeys } from '../base/spreadsheet-text.ts';
import { textOrNull } from '../base/text.ts';
import { addDeed, deedText } from '../store/ledger/deeds.ts';
import { textOfObject } from '../store/ledger/object-text.ts';
import type { Engine, SqlQuery, SqlValue } from '../store/sql.ts';
import type { Deed } from '../things/deed.ts';
import { noteOfSource } from '../things/deferred.ts';
import { MADE_IT } from '../things/totals.ts';
import { usedUnder } from './caps.ts';
import { laterInstant, RECORD_COLUMNS, type SendingProcesses } from './entries.ts';
import { type FactsNeeded, factsNeeded, SAME_WITHIN_MS } from './judge-intent.ts';
import type { JudgedResolution, Resolution } from './judge-outcome.ts';
import type {
  Author,
  BatchLine,
  IntentConditions,
  MoneyRequest,
  RecordSnapshot,
  RememberedRecord,
  Settlement,
} from './ledger.ts';
import { proposedUntil } from './proposals.ts';
import { LEASE_MS } from './sending.ts';

/** The moment of a question or of a transaction. */
export interface Moment {
  /** ISO 8601, UTC. On a server, its own clock counts. */
  now: string;
  processes: SendingProcesses;
  store: Engine;
}

/** The columns that say until when an entry may be sent, and who wrote it. */
const SENDER = {
  sqlite: 'owner, NULL AS "sendsUntil", NULL AS "enteredBy", NULL AS "enteredAt"',
  postgres: `NULL AS owner, sends_until AS "sendsUntil", entered_by AS "enteredBy",
             entered_at AS "enteredAt"`,
};

/** @param clauses what follows the table @returns a query of `EntryRow`, which has the parameter `now` */
export function entriesIn(store: Engine, clauses: string): string {
  return `
    SELECT id, created_at AS "createdAt", account, profile, environment, host, operation, target,
           refund_of AS "refundOf", amount, currency, reference, body, note, state,
           settled_at AS "settledAt", status, record_id AS "recordId", message,
           transaction_date AS "transactionDate", response_code AS "responseCode", operator, machine,
           batch, line, occurrence, resolution, resolved_by AS "resolvedBy", proposed_until AS "proposedUntil",
           proposal, approved_by AS "approvedBy", ${SENDER[store]},
           now() AS "readAt"
      FROM gw.money_requests ${clauses}`;
}

/** @returns the query of one entry as stored (`EntryRow`) */
export function entryWithId({ store, now }: Moment, id: string): SqlQuery {
  return [entriesIn(store, 'WHERE id = :id'), { id, now }];
}

/**
 * @param isRecent whether an entry was written within `SAME_WITHIN_MS`
 * @param target a condition that each engine finds in its index
 */
function attemptsIn(store: Engine, isRecent: string, target: string) {
  const attempts = (content: string) =>
    entriesIn(
      store,
      `WHERE ${target} AND ${content}
          AND state IN ('sending', 'unknown', 'done', 'declined')
          AND CASE state WHEN 'done' THEN true WHEN 'declined' THEN :isLine AND response_code IS NOT NULL
                         ELSE NOT superseded OR NOT :isLine END
          AND operation = :operation AND account = :account ORDER BY created_at, rowid`,
    );
  const isSame = `reference_key IS NULL AND (amount = :amount OR amount IS NULL AND :amount::bigint IS NULL)
          AND (state <> 'done' OR :isLine OR ${isRecent})`;
  return { withReference: attempts('reference_key = ANY (:keys)'), without: attempts(isSame) };
}

const RECENT = {
  sqlite: 'created_at > :since',
  postgres: `created_at > now() - interval '${SAME_WITHIN_MS} milliseconds'`,
};
const attemptsOf = (store: Engine) => ({
  named: attemptsIn(store, RECENT[store], 'target = :target'),
  none: attemptsIn(store, RECENT[store], 'target IS NULL AND :target::text IS NULL'),
});
const ATTEMPTS = { sqlite: attemptsOf('sqlite'), postgres: attemptsOf('postgres') };

/** @returns the query of `Facts.attempts` (`EntryRow`) */
export function attemptsAt(
  { store, now }: Moment,
  { target, reference, amount, operation, account }: MoneyRequest,
  how: NonNullable<FactsNeeded['attempts']>,
): SqlQuery {
  const { withReference, without } = ATTEMPTS[store][target === null ? 'none' : 'named'];
  const asked = { target, operation, account, isLine: how === 'of-line', now };
  if (reference !== null) return [withReference, { ...asked, keys: spreadsheetKeys(reference) }];
  const since = laterInstant(now, -SAME_WITHIN_MS);
  return [without, { ...asked, amount, since }];
}

/**
 * A sum of SQLite's integers can overflow, a sum of reals cannot. Refunds may add up to more than the largest amount.
 * A pruned refund that was copied again from another ledger counts once.
 */
const SUMS = `
         seen.amount AS paid,
         coalesce(sum(CASE given.state WHEN 'done' THEN given.amount + 0.0 END), 0)
           + (SELECT coalesce(sum(pruned.amount + 0.0), 0) FROM gw.pruned_refunds AS pruned
               WHERE pruned.purchase = seen.id AND pruned.account = :account
                 AND NOT EXISTS (SELECT 1 FROM gw.money_requests WHERE id = pruned.id)) AS refunded,
         coalesce(sum(CASE given.state WHEN 'done' THEN 0 ELSE given.amount + 0.0 END), 0) AS uncertain
    FROM gw.records AS seen
    LEFT JOIN gw.money_requests AS given
      ON given.target = seen.id AND given.refund_of = seen.id AND given.account = seen.account AND given.amount > 0
     AND given.state IN ('sending', 'unknown', 'done')
     AND NOT coalesce(given.operation = :operation AND given.batch = :batch
                      AND given.line = :line AND given.occurrence = :occurrence::integer, false)
   WHERE seen.account = :account AND seen.kind = 'purchase' AND seen.amount >= 0`;
const BALANCE = `SELECT ${SUMS} AND seen.id = :purchase GROUP BY seen.id, seen.amount`;
const BALANCES = `SELECT seen.id AS id, ${SUMS} AND seen.id = ANY (:purchases) GROUP BY seen.id, seen.amount`;

/** @returns the query of the balances (`PurchaseBalance` with `id`) of those purchases whose amount is known */
export function balancesOf(account: string | null, purchases: readonly string[]): SqlQuery {
  const nothing = { operation: null, batch: null, line: null, occurrence: null };
  return [BALANCES, { account, purchases, ...nothing }];
}

/** @param except a line whose own attempts do not count */
function balanceOf(
  { account, operation }: MoneyRequest,
  purchase: string,
  except: BatchLine | undefined,
): SqlQuery {
  const { batch = null, line = null, occurrence = null } = except ?? {};
  return [BALANCE, { account, purchase, operation, batch, line, occurrence }];
}

/** @returns the queries of those facts that the decision about a request needs */
export function factsOf(
  at: Moment,
  request: MoneyRequest,
  conditions: IntentConditions,
): { attempts?: SqlQuery; balance?: SqlQuery; used: SqlQuery[]; proposal?: SqlQuery } {
  const { approval } = conditions;
  const { attempts, balanceOf: purchase, caps } = factsNeeded(request, conditions);
  return {
    used: caps.map((cap) => usedUnder(at, request, cap)),
    ...(approval && { proposal: entryWithId(at, approval.proposal) }),
    ...(attempts && { attempts: attemptsAt(at, request, attempts) }),
    ...(purchase !== undefined && { balance: balanceOf(request, purchase, conditions.line) }),
  };
}

// CROSS JOIN has SQLite look for the other entry first, of which there is hardly ever one.
const MADE_BY_ANOTHER = `
  SELECT 1 AS made
    FROM gw.money_requests AS other /*sqlite CROSS */ JOIN gw.money_requests AS own ON own.id = :entryId
   WHERE other.record_id = :recordId AND other.id <> own.id AND other.account = own.account
     AND other.state IN ('done', 'declined') AND other.${MADE_IT}
     AND NOT (:exceptAlike AND other.operation = own.operation
              AND coalesce(other.reference = own.reference, false)
              AND other.target IS NOT DISTINCT FROM own.target
              AND other.amount IS NOT DISTINCT FROM own.amount)
   LIMIT 1`;

/**
 * @param except 'alike' ignores entries with the same reference, operation, target and amount
 * @returns a query that has a row if another entry made the record (`Ledger.isMadeByAnother`)
 */
export function madeByAnother(recordId: string, entryId: string, except?: 'alike'): SqlQuery {
  return [MADE_BY_ANOTHER, { recordId, entryId, exceptAlike: except === 'alike' }];
}

const intentOf = (sender: string, value: string) => `
  INSERT INTO gw.money_requests
    (id, created_at, account, profile, environment, host, operation, target, refund_of, amount, currency,
     reference, reference_key, body, note, ${sender}, operator, machine, batch, line, occurrence, proposal,
     approved_by)
  VALUES
    (:id, :createdAt, :account, :profile, :environment, :host, :operation, :target, :refundOf, :amount, :currency,
     :reference, :referenceKey, :body, :note, ${value}, :operator, :machine, :batch, :line, :occurrence, :proposal,
     :approvedBy)`;
/** In a file, an entry names the process that sends it. On a server, it says until when it may be sent. */
const INTENT = {
  sqlite: intentOf('state, owner', "'sending', :sender"),
  postgres: intentOf('sends_until', ':sender'),
};

/** On a server, a trigger says that it is a proposal. */
const PROPOSAL = {
  sqlite: intentOf('state, proposed_until', "'proposed', :sender"),
  postgres: intentOf('proposed_until', ':sender'),
};

/** A request to record before it is sent. */
export interface Intent {
  /** Id of the entry to write. */
  id: string;
  request: MoneyRequest;
  conditions: IntentConditions | undefined;
}

/** @returns the statement that writes the entry */
export function intentStatement(at: Moment, intent: Intent, author: Author | undefined): SqlQuery {
  const { store, now, processes } = at;
  const sender = store === 'sqlite' ? processes.self : laterInstant(now, LEASE_MS);
  return [INTENT[store], valuesOfIntent(at, intent, author, sender)];
}

/** @returns the statement that writes the request as a proposal */
export function proposalStatement(
  at: Moment,
  intent: Intent,
  author: Author | undefined,
): SqlQuery {
  return [PROPOSAL[at.store], valuesOfIntent(at, intent, author, proposedUntil(at.now))];
}

/** @param sender the process that sends it; or until when it may be sent or released */
function valuesOfIntent(
  { store, now }: Moment,
  { id, request, conditions }: Intent,
  author: Author | undefined,
  sender: string | null,
): SqlValue[] {
  const { account, profile, environment, host, operation, target, refundOf, amount } = request;
  const { currency, reference, body, note } = request;
  const { batch = null, line = null, occurrence = null } = conditions?.line ?? {};
  const { machine = null } = author ?? {};
  const { approval } = conditions ?? {};
  // Whoever proposed it sends it; the approver's machine only carries it.
  const operator = approval?.proposer ?? author?.operator ?? null;
  const text = textOfObject(body, store, { id, ...request });
  // A list of values is bound faster than an object.
  return [
    ...[id, now, account, profile, environment, host, operation, target, refundOf, amount],
    ...[currency, reference, referenceKeyOf(reference), text, note],
    ...[sender, operator, machine],
    ...[batch, line, occurrence],
    ...[approval?.proposal ?? null, approval?.approver ?? conditions?.line?.approvedBy ?? null],
  ];
}

/** @returns the stored value by which attempts are found that a spreadsheet cannot tell apart */
export function referenceKeyOf(reference: string | null): string | null {
  return reference === null ? null : spreadsheetKey(reference);
}

/** In a file, a superseded attempt no longer holds its line, so a new attempt can take it. */
export function supersessionStatement(id: string): SqlQuery {
  return ['UPDATE gw.money_requests SET superseded = true WHERE id = :id', [id]];
}

/** In a file. @returns the statement that says of a proposal that it was released or withdrawn, and by whom */
export function endOfProposal(
  { now }: Moment,
  id: string,
  { state, by, note }: { state: 'released' | 'withdrawn'; by: string | null; note: string | null },
): SqlQuery {
  return [
    `UPDATE gw.money_requests SET state = :state, settled_at = :now, resolution = :note, resolved_by = :by
      WHERE id = :id AND state = 'proposed'`,
    { id, state, by, note, now },
  ];
}

/** @returns the statement that notes, in a file, that the things of an entry are to be learnt */
export function noteOfEntry(id: string): SqlQuery {
  return noteOfSource({ kind: 'request', account: null, id });
}

/** @returns whether an attempt with this outcome leaves its line to another, because nothing happened */
function isFree({ state }: Settlement): boolean {
  return state !== 'done' && state !== 'unknown';
}

/** @returns the values of an outcome */
function outcomeOf({ now }: Moment, id: string, settlement: Settlement) {
  const {
    state,
    status,
    recordId,
    message,
    transactionDate = null,
    responseCode = null,
  } = settlement;
  return { state, status, recordId, message, transactionDate, responseCode, id, settledAt: now };
}

const SAID = `
  INSERT INTO gw.outcomes
    (entry, state, status, record_id, message, transaction_date, response_code, resolution, resolved_by, superseded)
  VALUES
    (:id, :state, :status, :recordId, :message, :transactionDate, :responseCode, :resolution, :resolvedBy, :superseded)
  RETURNING entry, replaces`;

/** Everything that is said of an entry on a server: an answer, a person's word, or that it was sent again. */
export interface ServerOutcome extends Settlement {
  resolution?: string | null;
  resolvedBy?: string | null;
  superseded?: boolean;
}

/**
 * @returns the statement that says it, on a server, which derives the entry from it (docs/schema.sql). It has a row if
 *   the entry was changed: `replaces` is the number of the person's word that an answer overrules.
 */
export function outcomeStatement(
  id: string,
  { transactionDate = null, ...words }: ServerOutcome,
): SqlQuery {
  const { state, status, recordId, message, superseded = false } = words;
  const { responseCode = null, resolution = null, resolvedBy = null } = words;
  const values = [id, state, status, recordId, message, transactionDate, responseCode];
  return [SAID, [...values, resolution, resolvedBy, superseded]];
}

/** @returns the query of an outcome as it was written (`Settlement` and `settledAt`) */
export function outcomeNumbered(number: number): SqlQuery {
  return [
    `SELECT state, settled_at AS "settledAt", status, record_id AS "recordId", message,
            transaction_date AS "transactionDate", response_code AS "responseCode"
       FROM gw.outcomes WHERE number = :number`,
    { number },
  ];
}

/** Nobody asks who sent an entry that has an outcome. */
const OUTCOME = `
  UPDATE gw.money_requests
     SET state = :state, owner = NULL, settled_at = :settledAt, status = :status, record_id = :recordId, message = :message,
         transaction_date = :transactionDate, response_code = :responseCode`;
const SETTLED = `${OUTCOME} WHERE id = :id AND resolution IS NULL`;
const SETTLED_FREE = `${OUTCOME}, superseded = true WHERE id = :id AND resolution IS NULL`;
const SETTLED_LATE = `${OUTCOME}, superseded = :isSuperseded WHERE id = :id`;

/** @returns the statement that writes an outcome to a file, unless a person has resolved the entry */
export function settlementStatement(at: Moment, id: string, settlement: Settlement): SqlQuery {
  return [isFree(settlement) ? SETTLED_FREE : SETTLED, outcomeOf(at, id, settlement)];
}

/** @returns the statement that writes an outcome to a file, in place of what a person said */
export function lateSettlementStatement(
  at: Moment,
  id: string,
  settlement: Settlement,
  isSentAgain: boolean,
): SqlQuery {
  const isSuperseded = isSentAgain || isFree(settlement);
  return [SETTLED_LATE, { ...outcomeOf(at, id, settlement), isSuperseded }];
}

/** A resolution keeps the stored values that it does not replace. */
const RESOLVED = `
  UPDATE gw.money_requests
     SET state = :state, owner = NULL, settled_at = :settledAt, status = coalesce(:status, status),
         record_id = coalesce(:recordId, record_id), message = coalesce(:message, message),
         transaction_date = coalesce(:transactionDate, transaction_date),
         response_code = coalesce(:responseCode, response_code), resolution = :resolution,
         resolved_by = :resolvedBy, superseded = (superseded OR :isFree)
   WHERE id = :id AND state = :before`;

/** @returns the statement that writes to a file what a person says of an entry, as `judgeResolution` judged it */
export function resolutionStatement(
  at: Moment,
  id: string,
  { resolution, resolvedBy }: Resolution,
  { before, settlement }: Extract<JudgedResolution, { kind: 'written' }>,
): SqlQuery {
  const said = { resolution, resolvedBy, before, isFree: isFree(settlement) };
  return [RESOLVED, { ...outcomeOf(at, id, settlement), ...said }];
}

/**
 * A later answer may show less: a refund shows its reference only when it is created. An earlier answer that arrives
 * late changes nothing.
 */
const SEEN = `
  INSERT INTO gw.records
    (account, profile, host, kind, id, environment, reference, name, last_four, amount, currency,
     first_seen_at, last_seen_at, seen_by, record)
  VALUES
    (:account, :profile, :host, :kind, :id, :environment, :reference, :name, :lastFour, :amount, :currency,
     :firstSeenAt, :lastSeenAt, :seenBy, :record)
  ON CONFLICT (account, kind, id) DO UPDATE SET
    profile = excluded.profile,
    host = excluded.host,
    environment = excluded.environment,
    reference = coalesce(excluded.reference, records.reference),
    name = coalesce(excluded.name, records.name),
    last_four = coalesce(excluded.last_four, records.last_four),
    amount = coalesce(excluded.amount, records.amount),
    currency = coalesce(excluded.currency, records.currency),
    last_seen_at = excluded.last_seen_at,
    seen_by = excluded.seen_by,
    record = excluded.record
    WHERE excluded.last_seen_at >= records.last_seen_at`;

function valuesOf(
  { account, profile, host, kind, id, ...snapshot }: RecordSnapshot,
  store: Engine,
): SqlValue[] {
  const { environment, reference, name, lastFour, amount, seenAt, seenBy, record } = snapshot;
  const currency = textOrNull(record.currency);
  const text = textOfObject(record, store, { id, reference, name, amount, currency });
  return [
    ...[account, profile, host, kind, id, environment, reference, name, lastFour, amount],
    ...[currency, seenAt, seenAt, seenBy, text],
  ];
}

/** @returns the query of the record that a snapshot shows, as it is known (`RememberedRow`) */
export function knownBefore({ account, kind, id }: RecordSnapshot): SqlQuery {
  const text = `SELECT ${RECORD_COLUMNS} FROM gw.records WHERE account = :account AND kind = :kind AND id = :id`;
  return [text, { account, kind, id }];
}

/**
 * @param known the record as it is known
 * @returns a note of the card that a customer had, if the snapshot shows another one: earlier payments name only its token.
 *   A server does the same (docs/schema.sql)
 */
function renewalOf(seen: RecordSnapshot, known: RememberedRecord): Deed | undefined {
  const isLater = seen.seenAt >= known.lastSeenAt;
  const [before, after] = isLater ? [known, seen] : [seen, known];
  const formerToken = textOrNull(before.record.card_token);
  const isKnown = known.deeds.some((one) => one.formerToken === formerToken);
  if (seen.kind !== 'customer' || formerToken === null || isKnown) return undefined;
  if (formerToken === textOrNull(after.record.card_token)) return undefined;
  return { at: seen.seenAt, what: 'renewed', fields: [], operator: '', formerToken, note: null };
}

/**
 * @param known the record as it is known, of a customer
 * @returns the statements that write a record to a file as it was seen, in their order
 */
export function snapshotStatements(snapshot: RecordSnapshot, known?: RememberedRecord): SqlQuery[] {
  const { account, kind, id, deed } = snapshot;
  const deeds = [deed, known && renewalOf(snapshot, known)].filter((one) => one !== undefined);
  return [
    [SEEN, valuesOf(snapshot, 'sqlite')],
    ...deeds.map((one) => addDeed(snapshot, one)),
    noteOfSource({ kind, account, id }),
  ];
}

const SIGHTED = `
  INSERT INTO gw.sightings
    (account, profile, host, kind, id, environment, reference, name, last_four, amount, currency,
     first_seen_at, last_seen_at, seen_by, record, deeds)
  VALUES
    (:account, :profile, :host, :kind, :id, :environment, :reference, :name, :lastFour, :amount, :currency,
     :firstSeenAt, :lastSeenAt, :seenBy, :record, :deeds)`;

/** @returns the statement that does the same on a server, which derives the record from it (docs/schema.sql) */
export function sightingStatement(snapshot: RecordSnapshot): SqlQuery {
  const deeds = snapshot.deed ? [deedText(snapshot.deed)] : [];
  return [SIGHTED, [...valuesOf(snapshot, 'postgres'), `[${deeds}]`]];
}
