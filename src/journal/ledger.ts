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

/**
 * Whom a request goes to, or where a record was seen. Of two destinations whose accounts are known,
 * those tell whether they are the same; where one is not, profile and host do.
 */
export interface Destination {
  /** A fingerprint of the account; null where it is not known, as in what an older gw wrote. */
  account: string | null;
  profile: string;
  environment: string;
  host: string;
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
  /** Who sent it and on which machine; null of what an older gw wrote. */
  operator: string | null;
  machine: string | null;
  /** The batch it was sent for, and its line there. */
  batch: string | null;
  line: string | null;
  /** How it was settled by `gw journal resolve`, if it was. */
  resolution: string | null;
  /** Who did that, as `operator`. */
  resolvedBy: string | null;
}

/** Who entered an entry on a server, whatever the entry says of that. */
export interface Entered {
  /** Role of the server; null, as its time is, of what an older gw wrote. */
  by: string | null;
  /** ISO 8601, UTC. */
  at: string | null;
}

/** A line of a batch. Of all attempts at one line at most one is ever sending, unknown or done. */
export interface BatchLine {
  batch: string;
  /** The same for the same content, whenever and by whomever the batch is run. */
  line: string;
}

/** A line of a batch as it is to be sent; journal/requests/line-claim.ts has the rules. */
export interface LineClaim extends BatchLine {
  /** Which it is of the lines that ask for the same, from 1. */
  occurrence: number;
  /** @returns how many lines of the input ask for the same with an amount */
  lines(amount: number | null): number;
  /** Attempts that count: all; where a person named the batch; or only its own. */
  among: 'all' | 'named' | 'own';
  /** @returns whether it is sent in place of an attempt whose outcome is unknown */
  retries(attempt: LedgerEntry): boolean;
}

/** What is looked at before an intent is written, in the same transaction. */
export interface IntentConditions {
  /**
   * Refuse what repeats a request that succeeded, is unknown or is being sent, for as long as
   * journal/requests/judge-intent.ts says; of a line its claim decides.
   */
  noDuplicate: boolean;
  /** Refuse to give back more than is left of the purchase, as far as the ledger knows it. */
  noOverRefund: boolean;
  /** Claims the line. */
  line?: LineClaim;
}

/** What the ledger knows of a purchase and its refunds, in minor units. */
export interface PurchaseBalance {
  paid: number;
  refunded: number;
  /** Refunds that may or may not have happened; counted as if they had. */
  uncertain: number;
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
   * Asked right before it is sent: false when others may take its process for ended by now, and it may not
   * be sent any more. Absent where nobody can.
   */
  isStillOurs?(): boolean;
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
  scope?: SearchScope | undefined;
  limit: number;
}

interface Pruned {
  entries: number;
  records: number;
  /** Entries of that age which stay because their outcome is not known. */
  unresolved: number;
}

/** Who sends an entry that is `sending`. */
export interface EntrySender {
  /** Name of the process, where it has one (src/base/process-name.ts). */
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
  scope?: SearchScope;
}

/** Outcomes that this machine keeps for a ledger; once it was asked, those whose entries it no longer has. */
export interface LostOutcomes {
  /** @param id of an entry, or its beginning */
  find(id: string): { entry: string; settlement: Settlement }[];
  drop(entry: string): void;
}

export interface Ledger {
  /**
   * The index of records seen, events received, and money requests whose outcome was written. That of a server has no
   * events; who asks it for some puts those of this machine beside it (`openIndexedLedger`).
   */
  documents: SearchIndex;
  /** Only of a ledger on a server. */
  readonly lost?: LostOutcomes | undefined;
  /** Adds to the index those requests that have no outcome yet. */
  indexUnresolved(): Promise<void>;
  /**
   * @throws Failure guard when the ledger takes no request at all: an older state of it was restored, or it lost an
   *   entry whose outcome this machine keeps
   */
  admit(): Promise<void>;
  /** Resolves when the intent is on disk, or was refused under the conditions. */
  intend(request: MoneyRequest, conditions?: IntentConditions): Promise<Intended>;
  /** @returns how `intend` would refuse the request just now; nothing is written */
  foresee(request: MoneyRequest, conditions: IntentConditions): Promise<Refused | undefined>;
  /**
   * What was resolved meanwhile gets the outcome that its answer has, but for one that is unknown.
   * @param snapshots records of the answer, remembered in the same step
   */
  settle(id: string, settlement: Settlement, snapshots?: readonly RecordSnapshot[]): Promise<void>;
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
  /** @returns who sends an entry; undefined where nobody does any more */
  senderOf(id: string): Promise<EntrySender | undefined>;
  /** Newest first. */
  list(filter: EntryFilter): Promise<LedgerEntry[]>;
  /** @param id an entry's id, or the beginning of one that is enough to tell it */
  find(id: string): Promise<LedgerEntry[]>;
  /** @param ids whole ids of any number of entries @returns those that there are, in any order */
  entries(ids: readonly string[]): Promise<LedgerEntry[]>;
  /** @param ids whole ids @returns who entered which of them, by the word of the server; none of a file */
  entered(ids: readonly string[]): Promise<ReadonlyMap<string, Entered>>;
  /** @returns the batches that lines were sent for, in parts that came out alike */
  batches(): Promise<BatchPart[]>;
  /** @returns ids of the entry that counts of each line of a batch, in the order in which they were sent first */
  batchEntries(batch: Pick<BatchPart, 'batch' | 'account'>): Promise<string[]>;
  /** @returns what the lines of a batch that are done come to, of those whose request named no currency */
  openAmounts(batch: Pick<BatchPart, 'batch' | 'account'>): Promise<OpenAmount[]>;
  /** @returns the time by which entries are dated (ISO 8601, UTC) */
  time(): Promise<string>;
  /**
   * @param except leaves out entries with a reference that ask for the same as this one
   * @returns whether another entry of the same account is known to have made a record
   */
  isMadeByAnother(recordId: string, entryId: string, except?: 'alike'): Promise<boolean>;
  /** @returns ISO 4217 code of a purchase, or of the purchase that a refund is of; undefined when it is not known */
  currencyOf(
    destination: Pick<Destination, 'account' | 'profile' | 'host'>,
    record: { purchase: string } | { refund: string },
  ): Promise<string | undefined>;
  /** @returns ISO 4217 codes of purchases, by their ids; of those that are known */
  currenciesOf(
    destination: Pick<Destination, 'account' | 'profile' | 'host'>,
    purchases: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
  /** @returns what is known of a purchase, or undefined when its amount is not */
  balance(destination: Destination, purchaseId: string): Promise<PurchaseBalance | undefined>;
  /** @returns the balances that are known, by the ids of the purchases */
  balances(
    destination: Destination,
    purchases: readonly string[],
  ): Promise<ReadonlyMap<string, PurchaseBalance>>;
  /** @param snapshots gives the records; called once no other process can write to the ledger */
  remember(snapshots: () => readonly RecordSnapshot[]): Promise<void>;
  /** @returns records as they were seen last, latest seen first */
  remembered(what: WantedRecords, limit: number): Promise<RememberedRecord[]>;
  /**
   * Forgets all that is known of a profile whose gateway has started over; where several machines share
   * the ledger, what this one sent to its own.
   */
  forget(profile: string): Promise<void>;
  /** @returns whether its owner forbids to send what moves money without an entry */
  requiresJournal(): Promise<boolean>;
  /** Forgets settled entries and records older than an instant (ISO 8601, UTC). */
  prune(before: string): Promise<Pruned>;
  close(): Promise<void>;
}

/** Lines of a batch that came out alike. */
export interface BatchPart {
  /** What the ledger calls the batch: operation, profile and host, and its name or digest. */
  batch: string;
  account: string | null;
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
