/** The ledger, whatever store its rows are in: which rule answers which question. */
import { Failure } from '../failure.ts';
import type { SearchIndex } from '../index/search-index.ts';
import { StoredDocuments } from '../index/stored-documents.ts';
import { time, together, type Work } from '../store/sql.ts';
import type {
  BatchPart,
  Destination,
  EntryFilter,
  Intended,
  IntentConditions,
  Ledger,
  LostOutcomes,
  MoneyRequest,
  RecordSnapshot,
  Settlement,
  WantedRecords,
} from './ledger.ts';
import { currencyOfPurchase, refundTie } from './records/refund-currency.ts';
import { findSnapshots } from './records/snapshots.ts';
import { batchEntryIds, batchParts, openAmounts } from './requests/batch-queries.ts';
import { indexEntries, unindexedRequests } from './requests/index-requests.ts';
import { balanceOf, foresee, type Intent, type Writer } from './requests/intents.ts';
import { type Outcome, resolve } from './requests/outcomes.ts';
import { forgetProfile, prune } from './requests/pruning.ts';
import {
  enteredOf,
  entriesOf,
  findById,
  isMadeByAnother,
  listEntries,
  requiresJournal,
  senderOfEntry,
} from './requests/request-queries.ts';

/** Where the rows are, and how what may not be lost is written there. */
export interface LedgerStore {
  readonly writer: Writer;
  /** Whose entries are forgotten with a profile; undefined for all. */
  readonly machine: string | undefined;
  /** The same as in `Ledger`. */
  readonly lost?: LostOutcomes | undefined;
  /** Work that writes nothing. @throws Failure guard when the ledger cannot be used */
  read<Result>(work: () => Work<Result>): Promise<Result>;
  /** All of it is kept, or nothing, and on disk where that is wanted. @throws as `read` */
  write<Result>(work: () => Work<Result>, isDurable?: boolean): Promise<Result>;
  /** The same as in `Ledger`. */
  admit?(): Promise<void>;
  /** Writes it unless something speaks against it. @throws as `read`: nothing may be sent then */
  intend(intent: Omit<Intent, 'id'>): Promise<Intended>;
  /** @throws Failure guard `entry-lost` when there is no such entry; as `read` */
  settle(outcome: Outcome): Promise<void>;
  /** @param snapshots gives the records; called once no other process can write to a file */
  remember(snapshots: () => readonly RecordSnapshot[]): Promise<void>;
  close(): Promise<void>;
}

type AccountKey = Pick<Destination, 'account' | 'profile' | 'host'>;
type BatchKey = Pick<BatchPart, 'batch' | 'account'>;

export class SqlLedger implements Ledger {
  documents: SearchIndex;
  readonly lost: LostOutcomes | undefined;
  readonly #store: LedgerStore;
  readonly #writer: Writer;

  constructor(store: LedgerStore) {
    this.documents = new StoredDocuments(store);
    this.lost = store.lost;
    this.#store = store;
    this.#writer = store.writer;
  }

  async indexUnresolved() {
    const ids = await this.#store.read(unindexedRequests);
    if (ids.length > 0) await this.#store.write(() => indexEntries(ids));
  }

  intend(request: MoneyRequest, conditions?: IntentConditions) {
    return beforeSending(this.#store.intend({ request, conditions }));
  }

  foresee(request: MoneyRequest, conditions: IntentConditions) {
    return beforeSending(this.#foresee(request, conditions));
  }

  settle(id: string, settlement: Settlement, snapshots: readonly RecordSnapshot[] = []) {
    return this.#store.settle({ entry: { id, settlement }, snapshots });
  }

  resolve(id: string, settlement: Settlement, resolution: string, isSenderGone = false) {
    const said = { id, settlement, resolution, isSenderGone };
    return this.#store.write(() => resolve(said, this.#writer), true);
  }

  senderOf(id: string) {
    return this.#store.read(() => senderOfEntry(id, this.#writer.processes));
  }

  list(filter: EntryFilter) {
    return this.#store.read(() => listEntries(filter, this.#writer.processes));
  }

  find(id: string) {
    return this.#store.read(() => findById(id, this.#writer.processes));
  }

  entries(ids: readonly string[]) {
    return this.#store.read(() => entriesOf(ids, this.#writer.processes));
  }

  entered(ids: readonly string[]) {
    return this.#store.read(() => enteredOf(ids));
  }

  batches() {
    return this.#store.read(() => batchParts(this.#writer.processes));
  }

  batchEntries(batch: BatchKey) {
    return this.#store.read(() => batchEntryIds(batch));
  }

  openAmounts(batch: BatchKey) {
    return this.#store.read(() => openAmounts(batch));
  }

  time() {
    return this.#store.read(time);
  }

  isMadeByAnother(recordId: string, entryId: string, except?: 'alike') {
    return this.#store.read(() => isMadeByAnother(recordId, entryId, except));
  }

  currencyOf(destination: AccountKey, record: { purchase: string } | { refund: string }) {
    return this.#store.read(function* () {
      if ('purchase' in record) return yield* currencyOfPurchase(destination, record.purchase);
      return (yield* refundTie(destination, record.refund)).currency;
    });
  }

  async currenciesOf(destination: AccountKey, purchases: readonly string[]) {
    const found = await this.#store.read(() =>
      together(purchases.map((id) => currencyOfPurchase(destination, id))),
    );
    return known(purchases, found);
  }

  balance(destination: Destination, purchaseId: string) {
    return beforeSending(this.#store.read(() => balanceOf(destination, purchaseId)));
  }

  async balances(destination: Destination, purchases: readonly string[]) {
    const found = await beforeSending(
      this.#store.read(() => together(purchases.map((id) => balanceOf(destination, id)))),
    );
    return known(purchases, found);
  }

  remember(snapshots: () => readonly RecordSnapshot[]) {
    return this.#store.remember(snapshots);
  }

  remembered(what: WantedRecords, limit: number) {
    return this.#store.read(() => findSnapshots(what, limit));
  }

  forget(profile: string) {
    return this.#store.write(() => forgetProfile(profile, this.#store.machine));
  }

  requiresJournal() {
    return this.#store.read(requiresJournal);
  }

  async admit() {
    if (this.#store.admit) await beforeSending(this.#store.admit());
  }

  async #foresee(request: MoneyRequest, conditions: IntentConditions) {
    await this.#store.admit?.();
    return this.#store.read(() => foresee(request, conditions, this.#writer.processes));
  }

  prune(before: string) {
    return this.#store.write(() => prune(before));
  }

  close() {
    return this.#store.close();
  }
}

/** @returns those that are known, by their names */
function known<Value>(
  names: readonly string[],
  values: readonly (Value | undefined)[],
): Map<string, Value> {
  const pairs = names.map((name, i) => [name, values[i]] as const);
  return new Map(
    pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}

/** @returns what an outcome throws whose entry is gone */
export function entryLost(): Failure {
  return new Failure('guard', 'The ledger no longer has the entry for this request.', {
    code: 'entry-lost',
    next: 'Look up the record before you send it again.',
  });
}

const NOTHING_SENT = 'Nothing was sent.';

/** A ledger that cannot be used stands in the way of the request, whatever is wrong with it. */
export async function beforeSending<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Failure) || error.next.startsWith(NOTHING_SENT)) throw error;
    const { message, code, next, cause } = error;
    throw new Failure('guard', message, { code, next: `${NOTHING_SENT} ${next}`, cause });
  }
}
