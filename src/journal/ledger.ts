/**
 * The ledger: gw's memory of the money requests it sent and of the records it has seen. A request whose answer was lost
 * is never forgotten. The rest of gw knows only this interface; the store behind it is private to this folder.
 *
 *   sending ──► done | declined | rejected | not-sent | unknown
 *   unknown ──► done | declined | not-done          (`gw journal resolve`)
 *   any of these ──► done | declined | rejected | not-sent          (its answer arrives after all)
 *
 * A proposal is an entry that is never sent itself (journal/proposals.ts).
 *
 * An entry that is still `sending` belongs to a process that runs, or to one that ended before it wrote the outcome. In
 * the second case the entry becomes `unknown`. On one machine, gw recognises an ended process by its name. A ledger
 * shared by several machines gives each request a lease, after which it counts as abandoned.
 *
 * Tests: test/unit/journal/ledger-cases.ts, test/unit/journal/more-ledger-cases.ts
 */

import type { JsonObject } from '../base/json.ts';
import type { RecordKind } from '../contract/record.ts';
import type { SqlStore } from '../store/sql.ts';
import type { Deed } from '../things/deed.ts';
import type { Owner } from '../things/owner.ts';
import type { SearchIndex } from '../things/thing-index.ts';
import type { PurchaseBalance } from './balance.ts';
import type { AppliedCap, Approval, CappedRequests, NotReleased, OverCap } from './rules.ts';
import type { Lease } from './sending.ts';

export const ENTRY_STATES = [
  'sending',
  'done',
  'declined',
  'rejected',
  'not-sent',
  'not-done',
  'unknown',
  'proposed',
  'released',
  'withdrawn',
] as const;

export type EntryState = (typeof ENTRY_STATES)[number];

/** The sender of a request, for people who read the ledger later. */
export interface Author {
  /** GW_OPERATOR, else user@host. */
  operator: string;
  /** Name of the machine. */
  machine: string;
}

export interface MoneyRequest extends Owner<string> {
  operation: string;
  /** Source or recipient of the money: purchase id, token, or masked card. */
  target: string | null;
  /** Id of the purchase to refund, which is also the target; null if the request refunds nothing. */
  refundOf: string | null;
  /** Minor units. */
  amount: number | null;
  currency: string | null;
  reference: string | null;
  /** The body as sent, with the card number masked and without the CVV. */
  body: JsonObject;
  /** Why it was sent, in the operator's words; null if they gave no note. It is never sent. */
  note: string | null;
}

export interface Settlement {
  state: Exclude<EntryState, 'sending'>;
  /** HTTP status, if an answer arrived. */
  status: number | null;
  /** Id of the record that the gateway created. */
  recordId: string | null;
  message: string | null;
  /** When it happened, by the gateway (`transaction_date`, sections 2.3 and 2.4). */
  transactionDate?: string | null;
  /** The issuer's code (`responseCodeOf` of contract/declines.ts). */
  responseCode?: string | null;
}

export interface LedgerEntry extends MoneyRequest, Omit<Settlement, 'state'> {
  id: string;
  state: EntryState;
  /** ISO 8601, UTC. */
  createdAt: string;
  settledAt: string | null;
  /** The sender and the machine; null if not recorded. */
  operator: string | null;
  machine: string | null;
  /** Its batch, its line there, and its number among identical lines, from 1. */
  batch: string | null;
  line: string | null;
  occurrence: number | null;
  /** Statement made with `gw journal resolve`; null if there is none. */
  resolution: string | null;
  /** The person who resolved it, in the form of `operator`. */
  resolvedBy: string | null;
  /** The server role that wrote it, and when (ISO 8601, UTC), both as the server says; null in a file. */
  enteredBy: string | null;
  enteredAt: string | null;
  /** Until when a proposal can be released (ISO 8601, UTC); null for what is no proposal. */
  proposedUntil: string | null;
  /**
   * Id of the proposal that was approved to send it; null for a line of a batch, which is approved as a whole. And who
   * approved it; both are null if no rule wanted that.
   */
  proposal: string | null;
  approvedBy: string | null;
}

/**
 * A line of a batch. A batch has one account and one operation. At most one attempt at a line is ever sending, unknown
 * or done.
 */
export interface BatchLine {
  /** Name of the batch; if the user gave none, a digest of its requests. */
  batch: string;
  /** A digest of the content. It is the same no matter when or by whom the batch is run. */
  line: string;
  /** Number of this line among identical lines, from 1. */
  occurrence: number;
}

/** How many lines of the input have this amount and are otherwise identical. */
export interface LinesOfAmount {
  /** Minor units. */
  readonly amount: number | null;
  lines: number;
}

/** A line of a batch to be sent; journal/line-claim.ts has the rules. */
export interface LineClaim extends BatchLine {
  /** Lines of the input that are identical or differ only in the amount, including this one. */
  siblings: readonly LinesOfAmount[];
  /** Which attempts count (journal/line-claim.ts): without a name, with a name, or only those of this batch. */
  among: 'all' | 'named' | 'own';
  /** Attempts with an unknown outcome that this line may replace: none, any, or those with these ids. */
  retries: 'none' | 'any' | ReadonlySet<string>;
  /** true if this line is sent although its card can never pay. */
  retriesDeclined?: boolean;
  /** In a dry run: what the lines before it would refund of the same purchase, in minor units. */
  planned?: number;
  /** true if no spreadsheet changed the references, as the user says. */
  isAsWritten?: boolean;
  /** The person who approved the batch as a whole; undefined if no rule wanted it. */
  approvedBy?: string | undefined;
}

/** Checks that run in the transaction that writes the intent. */
export interface IntentConditions {
  /**
   * Refuse a request that repeats one that succeeded, is unknown or is being sent; journal/judge-intent.ts says for how
   * long. For a batch line, its claim decides instead.
   */
  noDuplicate: boolean;
  /** Refuse a refund of more than is left of the purchase, as far as the ledger knows. */
  noOverRefund: boolean;
  /** Claim this line of a batch. */
  line?: LineClaim;
  /** Refuse what goes beyond one of these. */
  caps?: readonly AppliedCap[];
  /** Release the proposal of the request, or refuse. */
  approval?: Approval;
}

/** A request that may be intended, and its conditions. */
export interface ConditionalRequest {
  request: MoneyRequest;
  conditions: IntentConditions;
}

export type IntentRefusal =
  | { kind: 'held'; by: LedgerEntry }
  | { kind: 'conflict'; with: LedgerEntry }
  | { kind: 'duplicate'; of: LedgerEntry }
  | { kind: 'over-refund'; balance: PurchaseBalance }
  | OverCap
  | NotReleased;

/** The intent is stored, and the request may be sent. */
export interface StoredIntent {
  kind: 'recorded';
  id: string;
  /**
   * Only on a server. The request may be sent while the lease runs; afterwards others treat its process as ended
   * (journal/sending.ts).
   */
  lease?: Lease;
}

export type IntentVerdict = StoredIntent | IntentRefusal;

/** A record of the gateway, as one answer showed it. */
export interface RecordSnapshot extends Owner<string> {
  kind: RecordKind;
  id: string;
  reference: string | null;
  /** Name on the card, of the customer, or of the plan. */
  name: string | null;
  lastFour: string | null;
  /** Minor units. */
  amount: number | null;
  /** The operation that showed it: `purchase create`, `plan list`. */
  seenBy: string;
  /** ISO 8601, UTC. */
  seenAt: string;
  /** In normal form, card numbers masked. */
  record: JsonObject;
  /** The change that a person made, if the answer is to one. */
  deed?: Deed | undefined;
}

export interface RememberedRecord extends Omit<RecordSnapshot, 'seenAt' | 'deed'> {
  /** ISO 4217 code. Only a list of plans has that of a plan, so an answer without one does not change it. */
  currency: string | null;
  /** The oldest first. */
  deeds: readonly Deed[];
  firstSeenAt: string;
  lastSeenAt: string;
}

export interface EntryFilter {
  unresolved?: boolean;
  /** Account to list; undefined for all. */
  of?: Pick<Owner, 'account'> | undefined;
  limit: number;
}

/** Numbers of rows that `prune` deleted. */
export interface PrunedRows {
  entries: number;
  records: number;
}

/** Numbers of rows that are older than an instant. */
export interface OlderCounts extends PrunedRows {
  /** Entries of that age that stay because their outcome is unknown. */
  unresolved: number;
}

/** The sender of an entry that is `sending`. */
export interface EntrySender {
  /** Name of the process, if it has one (src/host/processes.ts). */
  process: string | null;
  /** True if the process certainly runs. False if it may have ended. */
  isRunning: boolean;
}

/** An outcome that arrived after somebody resolved its entry. */
export interface LateOutcome {
  /** The entry as resolved. */
  before: LedgerEntry;
  state: Settlement['state'];
  /** The request sent in its place, unless that was declined or rejected. */
  again: LedgerEntry | undefined;
}

/** A filter. An omitted member matches everything. */
export interface RecordFilter {
  kind?: RecordKind;
  id?: string;
  /** Account. */
  of?: Pick<Owner, 'account'>;
}

/**
 * Outcomes that this machine keeps for a ledger that no longer has their entries. Before the ledger was asked, all kept
 * outcomes.
 */
export interface LostOutcomes {
  /** @param id an entry's id, or its beginning */
  find(id: string): { entry: string; settlement: Settlement }[];
  drop(entry: string): void;
}

export interface BatchKey {
  account: string;
  operation: string;
  /** Its name, as in `BatchLine.batch`. */
  batch: string;
}

export interface Ledger {
  /**
   * The things that records and money requests tell of, as far as they were learnt. In a file, events tell of them too.
   * Beside a ledger on a server, `openLedger` of requests/known adds the events of this machine.
   */
  readonly things: SearchIndex;
  /** The same store, for code that writes the index or erases a person. */
  readonly sql: SqlStore;
  /** Only in a ledger on a server. */
  readonly lost?: LostOutcomes | undefined;

  /**
   * Checks that the ledger accepts requests at all.
   * @throws Failure guard if an older state of the ledger was restored, or it lost an entry whose outcome this machine
   *   keeps
   */
  admit(): Promise<void>;
  /**
   * Resolves once the intent is on disk, or was refused under the conditions.
   * @throws Failure guard if the intent cannot be written; then nothing may be sent
   */
  intend(request: MoneyRequest, conditions?: IntentConditions): Promise<IntentVerdict>;
  /** @returns what was sent under each cap within its period: requests or minor units */
  usedUnder(requests: CappedRequests, caps: readonly AppliedCap[]): Promise<number[]>;
  /** @returns when a request that a cap refused will fit (ISO 8601, UTC); undefined if it never does */
  fitsAt(requests: CappedRequests, refused: OverCap): Promise<string | undefined>;
  /**
   * Writes a proposal, or refuses it under the conditions.
   * @returns the proposal
   */
  propose(
    request: MoneyRequest,
    conditions: IntentConditions,
  ): Promise<{ kind: 'proposed'; proposal: LedgerEntry } | IntentRefusal>;
  /** @returns the proposals of an account that can still be released, the oldest first */
  openProposals(account: string): Promise<LedgerEntry[]>;
  /** @returns what was refunded of a purchase, or may have been, after an instant (ISO 8601); minor units */
  refundedSince(
    account: string,
    purchase: string,
    since: string,
  ): Promise<{ count: number; amount: number }>;
  /** Releases the proposal of a batch, whose lines are sent later. @returns why not */
  release(approval: Approval): Promise<NotReleased | undefined>;
  /** @returns the release of a batch that still holds, by the target of its proposal */
  releasedBatch(account: string, target: string): Promise<LedgerEntry | undefined>;
  /** @param note why. @returns false if it is no proposal that is open */
  withdraw(proposal: string, note: string | null): Promise<boolean>;
  /** @returns for each request, how `intend` would refuse it now; writes nothing */
  foresee(asked: readonly ConditionalRequest[]): Promise<(IntentRefusal | undefined)[]>;
  /**
   * Writes an outcome. An entry that a person resolved meanwhile takes the outcome too, unless that is unknown.
   * @param snapshots records of the answer, stored in the same transaction
   * @param madeRecord id of the record that the request made, if another entry may have made it. An entry with the same
   *   reference, operation, target and amount does not count.
   * @returns the outcome, if somebody had already resolved the entry; 'of-another' if another entry made the record, and
   *   then nothing is written
   * @throws Failure guard `entry-lost` if there is no entry
   */
  settle(
    id: string,
    settlement: Settlement,
    snapshots?: readonly RecordSnapshot[],
    madeRecord?: string | null,
  ): Promise<LateOutcome | 'of-another' | undefined>;
  /**
   * Settles an entry with an unknown outcome. Also settles one that is `sending` if a person says that its sender is
   * gone and gw cannot tell.
   * @returns false if the entry is not unresolved, or its sender runs
   */
  resolve(
    id: string,
    settlement: Settlement,
    resolution: string,
    isSenderGone?: boolean,
  ): Promise<boolean>;

  /** @returns entries, newest first */
  list(filter: EntryFilter): Promise<LedgerEntry[]>;
  /**
   * @param id an entry's id, or enough of its beginning to identify it
   * @returns at most two entries
   */
  find(id: string): Promise<LedgerEntry[]>;
  /**
   * @param ids any number of complete ids
   * @returns the entries that exist, in the order of the ids
   */
  entries(ids: readonly string[]): Promise<LedgerEntry[]>;
  /** @returns the sender of an entry; undefined if nobody sends it */
  senderOf(id: string): Promise<EntrySender | undefined>;
  /** @returns whether another entry of the same account is known to have created the record */
  isMadeByAnother(recordId: string, entryId: string): Promise<boolean>;

  /** @returns the batches with lines sent, the one with the newest attempt first */
  batches(): Promise<NamedBatch[]>;
  /** @returns some batches, each split into parts; several parts may have the same state, currency and operator */
  batchParts(batches: readonly BatchKey[]): Promise<BatchPart[]>;
  /**
   * @returns for each line of a batch, the id of the entry that decides its state; ordered by when the line was first
   *   sent
   */
  batchEntries(batch: BatchKey): Promise<string[]>;
  /** @returns totals of the batch's lines that are done and whose request named no currency */
  openAmounts(batch: BatchKey): Promise<OpenAmount[]>;

  /** Stores records as they were seen. */
  remember(snapshots: readonly RecordSnapshot[]): Promise<void>;
  /** @returns records as last seen, the most recently seen first */
  remembered(what: RecordFilter, limit: number): Promise<RememberedRecord[]>;
  /** @returns balances by purchase id; only purchases whose amount is known */
  balances(
    of: Pick<Owner, 'account'>,
    purchases: readonly string[],
  ): Promise<ReadonlyMap<string, PurchaseBalance>>;
  /** @returns ISO 4217 codes by purchase id, from the record or else from the request */
  currencies(
    of: Pick<Owner, 'account'>,
    purchases: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
  /** @returns the id of the purchase that a refund sent with this ledger belongs to */
  purchaseOf(of: Pick<Owner, 'account'>, refund: string): Promise<string | undefined>;
  /** @returns the account that a profile last used; null if unknown */
  accountOf(whose: { profile: string; environment: string | null }): Promise<string | null>;

  /**
   * Forgets everything about a profile whose gateway has started over. In a shared ledger, forgets the requests that
   * this machine sent and all of the profile's records.
   */
  forget(profile: string): Promise<void>;
  /** Counts what is older than an instant (ISO 8601, UTC). */
  older(before: string): Promise<OlderCounts>;
  /**
   * Deletes some settled entries and records older than an instant, the oldest first.
   * @returns how many; no rows if none of that age is left
   */
  prune(before: string): Promise<PrunedRows>;
  /** @returns whether the owner of the ledger forbids requests that move money without an entry */
  requiresJournal(): Promise<boolean>;
  close(): Promise<void>;
}

/** A batch, with the profile, environment and host of its newest attempt. */
export interface NamedBatch extends BatchKey {
  profile: string;
  environment: string;
  host: string;
}

/** Lines of a batch that have the same state, currency and operator. */
export interface BatchPart extends BatchKey {
  state: EntryState;
  currency: string | null;
  operator: string | null;
  lines: number;
  /** Minor units; null if no line has an amount. */
  amount: number | null;
  /** When its first line was first sent and when its last attempt was sent (ISO 8601, UTC). */
  first: string;
  last: string;
}

/** Total of a batch's lines for one purchase, where the requests named no currency. */
export interface OpenAmount {
  /** Id of the purchase that they created or refunded. */
  purchase: string;
  /** Minor units of the purchase's currency. */
  amount: number;
}
