/**
 * The ledger: gw's memory of the money requests it sent, so that one whose answer was lost is never
 * forgotten, and of the records it has seen. This interface is all that the rest of gw knows of it;
 * the store behind it is a matter of this folder.
 *
 *   sending ──► done | declined | rejected | not-sent | unknown
 *   unknown ──► done | declined | not-done          (`gw journal resolve`)
 *   any of these ──► done | declined | rejected | not-sent          (its answer comes all the same)
 *
 * An entry that is still `sending` belongs to a process that is running, or that ended before it
 * could write the outcome. Those of one that has ended become `unknown`: on one machine the name of
 * the process tells; a ledger of several machines has a lease that the process puts off as it lives.
 */

import type { JsonObject } from '../base/json.ts';
import type { RecordKind } from '../contract/record-id.ts';
import type { SearchScope } from '../index/scope.ts';
import type { SearchIndex } from '../index/search-index.ts';
import type { SqlStore } from '../store/sql.ts';
import type { PurchaseBalance } from './balance.ts';
import type { Lease } from './sending.ts';

export const ENTRY_STATES = [
  'sending',
  'done',
  'declined',
  'rejected',
  'not-sent',
  'not-done',
  'unknown',
] as const;

export type EntryState = (typeof ENTRY_STATES)[number];

/** Whom a request goes to, or where a record was seen. Two with the same account are the same. */
export interface Destination {
  /** A fingerprint of the account (base/account.ts). */
  account: string;
  profile: string;
  environment: string;
  host: string;
}

/** Whose a question is about: those of an account; null where none is known, which has none. */
export interface OfAccount {
  account: string | null;
}

/** Who sends, for everybody who reads the ledger later. */
export interface Author {
  /** GW_OPERATOR, else user@host. */
  operator: string;
  /** Name of the machine. */
  machine: string;
}

export interface MoneyRequest extends Destination {
  operation: string;
  /** What the money is taken from or given back to: purchase id, token, or masked card. */
  target: string | null;
  /** Id of the purchase that the amount is given back from; null for what gives nothing back. */
  refundOf: string | null;
  /** Minor units. */
  amount: number | null;
  currency: string | null;
  reference: string | null;
  /** The body as it was sent, card number masked and without the CVV. */
  body: JsonObject;
}

export interface Settlement {
  state: Exclude<EntryState, 'sending'>;
  /** HTTP status, where an answer came. */
  status: number | null;
  /** Id of the record the gateway made. */
  recordId: string | null;
  message: string | null;
}

export interface LedgerEntry extends MoneyRequest, Omit<Settlement, 'state'> {
  id: string;
  state: EntryState;
  /** ISO 8601, UTC. */
  createdAt: string;
  settledAt: string | null;
  /** Who sent it and on which machine; null where nobody was named. */
  operator: string | null;
  machine: string | null;
  /** The batch it was sent for, its line there, and which it is of the lines that ask for the same, from 1. */
  batch: string | null;
  line: string | null;
  occurrence: number | null;
  /** How it was settled by `gw journal resolve`, if it was. */
  resolution: string | null;
  /** Who did that, as `operator`. */
  resolvedBy: string | null;
  /** Role of the server that entered it, and when (ISO 8601, UTC), by the word of the server; null in a file. */
  enteredBy: string | null;
  enteredAt: string | null;
}

/**
 * A line of a batch. A batch is of one account and one operation; of all attempts at one line at most one is
 * ever sending, unknown or done.
 */
export interface BatchLine {
  /** Name of the batch; where it was given none, a digest of what it asks for. */
  batch: string;
  /** A digest of the content: the same whenever and by whomever the batch is run. */
  line: string;
  /** Which it is of the lines that ask for the same, from 1. */
  occurrence: number;
}

/** How many lines of an input ask for one amount, and otherwise for the same. */
export interface LinesOfAmount {
  /** Minor units. */
  readonly amount: number | null;
  lines: number;
}

/** A line of a batch as it is to be sent; journal/line-claim.ts has the rules. */
export interface LineClaim extends BatchLine {
  /** The lines of the input that ask for the same or differ only in the amount, this one among them. */
  siblings: readonly LinesOfAmount[];
  /** Attempts that count: all; where a person named the batch; or only its own. */
  among: 'all' | 'named' | 'own';
  /** Attempts of unknown outcome that it may be sent in place of: none, any, or those with these ids. */
  retries: 'none' | 'any' | ReadonlySet<string>;
}

/** What is looked at before an intent is written, in the same transaction. */
export interface IntentConditions {
  /**
   * Refuse what repeats a request that succeeded, is unknown or is being sent, for as long as
   * journal/judge-intent.ts says; of a line its claim decides.
   */
  noDuplicate: boolean;
  /** Refuse to give back more than is left of the purchase, as far as the ledger knows it. */
  noOverRefund: boolean;
  /** Claims the line. */
  line?: LineClaim;
}

export type Refused =
  | { kind: 'held'; by: LedgerEntry }
  | { kind: 'conflict'; with: LedgerEntry }
  | { kind: 'duplicate'; of: LedgerEntry }
  | { kind: 'over-refund'; balance: PurchaseBalance };

/** An intent that is kept, and may be sent. */
export interface Recorded {
  kind: 'recorded';
  id: string;
  /**
   * Only on a server: it may be sent while this runs, and others take its process for ended afterwards
   * (journal/sending.ts).
   */
  lease?: Lease;
}

export type Intended = Recorded | Refused;

/** A record of the gateway, as an answer showed it. */
export interface RecordSnapshot extends Destination {
  kind: RecordKind;
  id: string;
  reference: string | null;
  /** Name on the card, of the customer or of the plan. */
  name: string | null;
  lastFour: string | null;
  /** Minor units. */
  amount: number | null;
  /** What showed it: `purchase create`, `plan list`. */
  seenBy: string;
  /** ISO 8601, UTC. */
  seenAt: string;
  /** In normal form, card numbers masked. */
  record: JsonObject;
}

export interface RememberedRecord extends Omit<RecordSnapshot, 'seenAt'> {
  firstSeenAt: string;
  lastSeenAt: string;
}

export interface EntryFilter {
  unresolved?: boolean;
  /** Whose; undefined for all. */
  of?: OfAccount | undefined;
  limit: number;
}

export interface Pruned {
  entries: number;
  records: number;
  /** Entries of that age which stay because their outcome is not known. */
  unresolved: number;
}

/** Who sends an entry that is `sending`. */
export interface EntrySender {
  /** Name of the process, where it has one (src/host/processes.ts). */
  process: string | null;
  /** Whether it is known to run, or may have ended long ago for all that can be told. */
  isRunning: boolean;
}

/** An outcome that came when somebody had resolved its entry. */
export interface LateOutcome {
  /** The entry as it was resolved. */
  before: LedgerEntry;
  state: Settlement['state'];
  /** What was sent in its place, and was not declined or rejected. */
  again: LedgerEntry | undefined;
}

/** What is left out lets everything through. */
export interface WantedRecords {
  kind?: RecordKind;
  id?: string;
  /** Whose. */
  of?: OfAccount;
}

/** Outcomes that this machine keeps for a ledger; once it was asked, those whose entries it no longer has. */
export interface LostOutcomes {
  /** @param id of an entry, or its beginning */
  find(id: string): { entry: string; settlement: Settlement }[];
  drop(entry: string): void;
}

/** A batch of an account. */
export type BatchKey = Pick<BatchPart, 'account' | 'operation' | 'batch'>;

export interface Ledger {
  /**
   * The index of records seen, and of money requests, as far as it was brought up to date. In a file it has the
   * events received as well; beside that of a server, whoever asks for events puts those of this machine
   * (`openIndexedLedger`).
   */
  documents: SearchIndex;
  /** The same store for whoever writes the index or erases a person. */
  readonly sql: SqlStore;
  /** Only of a ledger on a server. */
  readonly lost?: LostOutcomes | undefined;

  /**
   * @throws Failure guard when the ledger takes no request at all: an older state of it was restored, or it lost an
   *   entry whose outcome this machine keeps
   */
  admit(): Promise<void>;
  /**
   * Resolves when the intent is on disk, or was refused under the conditions.
   * @throws Failure guard when it cannot be written: nothing may be sent then
   */
  intend(request: MoneyRequest, conditions?: IntentConditions): Promise<Intended>;
  /** @returns how `intend` would refuse the request just now; nothing is written */
  foresee(request: MoneyRequest, conditions: IntentConditions): Promise<Refused | undefined>;
  /**
   * Writes an outcome. What was resolved meanwhile gets the outcome that its answer has, but for one that is unknown.
   * @param snapshots records of the answer, remembered in the same step
   * @returns the outcome, where it came after somebody had resolved its entry
   * @throws Failure guard `entry-lost` when there is no such entry
   */
  settle(
    id: string,
    settlement: Settlement,
    snapshots?: readonly RecordSnapshot[],
  ): Promise<LateOutcome | undefined>;
  /**
   * Settles an entry whose outcome was unknown; or one that is `sending`, where a person says that nobody
   * sends it any more, and that cannot be told.
   * @returns false when it is not unresolved any more, or its sender runs
   */
  resolve(
    id: string,
    settlement: Settlement,
    resolution: string,
    isSenderGone?: boolean,
  ): Promise<boolean>;

  /** @returns the time by which entries are dated (ISO 8601, UTC) */
  time(): Promise<string>;
  /** Newest first. */
  list(filter: EntryFilter): Promise<LedgerEntry[]>;
  /** @param id an entry's id, or the beginning of one that is enough to tell it @returns two at most */
  find(id: string): Promise<LedgerEntry[]>;
  /** @param ids whole ids of any number of entries @returns those that there are, in the order of the ids */
  entries(ids: readonly string[]): Promise<LedgerEntry[]>;
  /** @returns who sends an entry; undefined where nobody does any more */
  senderOf(id: string): Promise<EntrySender | undefined>;
  /**
   * @param except leaves out entries with a reference that ask for the same as this one
   * @returns whether another entry of the same account is known to have made a record
   */
  isMadeByAnother(recordId: string, entryId: string, except?: 'alike'): Promise<boolean>;

  /** @returns the batches that lines were sent for, in parts that came out alike */
  batches(): Promise<BatchPart[]>;
  /** @returns ids of the entry that counts of each line of a batch, in the order in which they were sent first */
  batchEntries(batch: BatchKey): Promise<string[]>;
  /** @returns what the lines of a batch that are done come to, of those whose request named no currency */
  openAmounts(batch: BatchKey): Promise<OpenAmount[]>;

  /** Keeps records as they were seen. */
  remember(snapshots: readonly RecordSnapshot[]): Promise<void>;
  /** @returns records as they were seen last, latest seen first */
  remembered(what: WantedRecords, limit: number): Promise<RememberedRecord[]>;
  /** @returns what is known of purchases, by their ids; of those whose amount is known */
  balances(
    of: OfAccount,
    purchases: readonly string[],
  ): Promise<ReadonlyMap<string, PurchaseBalance>>;
  /** @returns ISO 4217 codes of purchases, by their ids: what their records say, or else what was asked for */
  currencies(of: OfAccount, purchases: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** @returns the purchase that a refund was made of from here, by its id */
  purchaseOf(of: OfAccount, refund: string): Promise<string | undefined>;
  /** @returns the account that a profile was last used with; null where none is known */
  accountOf(whose: Pick<SearchScope, 'profile' | 'environment'>): Promise<string | null>;

  /**
   * Forgets all that is known of a profile whose gateway has started over; where several machines share
   * the ledger, what this one sent to its own.
   */
  forget(profile: string): Promise<void>;
  /** Forgets settled entries and records older than an instant (ISO 8601, UTC). */
  prune(before: string): Promise<Pruned>;
  /** @returns whether its owner forbids to send what moves money without an entry */
  requiresJournal(): Promise<boolean>;
  close(): Promise<void>;
}

/** Lines of a batch that came out alike. */
export interface BatchPart {
  /** As `BatchLine.batch`. */
  batch: string;
  account: string;
  operation: string;
  profile: string;
  environment: string;
  host: string;
  state: EntryState;
  currency: string | null;
  operator: string | null;
  lines: number;
  /** Minor units; null where none of them has an amount. */
  amount: number | null;
  /** When the first of them was sent first, and the last of them last: ISO 8601, UTC. */
  first: string;
  last: string;
}

/** What lines of a batch come to whose requests named no currency. */
export interface OpenAmount {
  /** Id of the purchase that they made or gave back from. */
  purchase: string;
  /** Minor units of its currency. */
  amount: number;
}
