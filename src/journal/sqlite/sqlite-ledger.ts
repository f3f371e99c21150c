/** The ledger in one SQLite file, private to the user and shared by every gw process of theirs. */

import { Failure } from '../../failure.ts';
import type { Clock } from '../../host/host.ts';
import { SqliteFacts } from '../../index/sqlite/search.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { Database, type FileFormat } from '../../store/sqlite/database.ts';
import { GroupWriter } from '../../store/sqlite/group-writer.ts';
import type { Queries } from '../../store/sqlite/queries.ts';
import type {
  Author,
  BatchPart,
  Destination,
  EntryFilter,
  IntentConditions,
  LateOutcome,
  Ledger,
  MoneyRequest,
  Settlement,
  Sighting,
  WantedRecords,
} from '../ledger.ts';
import { currencyOfPurchase, refundTie } from '../records/refund-currency.ts';
import { findSightings, forgetSightings, pruneSightings, remember } from '../records/snapshots.ts';
import { batchEntryIds, openAmounts } from '../requests/batch-queries.ts';
import {
  indexRequest,
  MoneyRequests,
  type Ownership,
  unindexedRequests,
} from '../requests/money-requests.ts';

export interface LedgerOptions {
  /** Tells which processes have ended; without it only the age of an intent tells. */
  owners?: Ownership;
  /** Who sends and resolves. */
  author?: Author | undefined;
  /** Told of outcomes that come after somebody has resolved their entry. */
  onLate?: ((late: LateOutcome) => void) | undefined;
  /** Given by whoever has many requests in flight: their writes share transactions, and are indexed later. */
  endOfTurn?: (() => Promise<void>) | undefined;
  /** How long to wait while another process writes. */
  busyTimeoutMs?: number;
}

/**
 * Opens the ledger, made with its directories where there is none.
 * @throws Failure guard when it cannot be used: nothing that moves money may be sent then
 */
export async function openLedger(
  path: string,
  clock: Pick<Clock, 'now'>,
  options: LedgerOptions = {},
): Promise<Ledger> {
  const file = ledgerFile(path, options.busyTimeoutMs);
  return beforeSending(guarded(file, () => new SqliteLedger(file, clock, options)));
}

/**
 * For many requests: their ids are spread over all of an index, so that all of it is kept in memory (16 MiB),
 * and a page that is changed again and again is copied from the log to the file less often (16 MiB of log).
 */
const FOR_MANY = ['cache_size = -16384', 'wal_autocheckpoint = 4096'];

class SqliteLedger implements Ledger {
  readonly facts = new SqliteFacts((work) => this.#read((_, queries) => work(queries)));
  readonly #file: FileFormat;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #owners: Ownership;
  readonly #author: Author | undefined;
  readonly #onLate: LedgerOptions['onLate'];
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #isDeferring: boolean;

  constructor(file: FileFormat, clock: Pick<Clock, 'now'>, options: LedgerOptions) {
    this.#file = file;
    this.#clock = clock;
    this.#owners = options.owners ?? { self: null, isGone: () => undefined };
    this.#author = options.author;
    this.#onLate = options.onLate;
    this.#isDeferring = options.endOfTurn !== undefined;
    this.#database = new Database(file);
    if (this.#isDeferring) for (const setting of FOR_MANY) this.#database.set(setting);
    this.#writer = new GroupWriter(this.#database, options.endOfTurn);
  }

  intend(request: MoneyRequest, conditions?: IntentConditions) {
    return beforeSending(
      this.#write((requests) => requests.intend(request, conditions), { isDurable: true }),
    );
  }

  foresee(request: MoneyRequest, conditions: IntentConditions) {
    return this.#read((requests) => requests.foresee(request, conditions));
  }

  async settle(id: string, settlement: Settlement, sightings: readonly Sighting[] = []) {
    const late = await this.#write((requests, queries) => {
      const late = requests.settle(id, settlement);
      remember(queries, sightings, this.#isDeferring);
      return late;
    });
    if (late) this.#onLate?.(late);
  }

  resolve(id: string, settlement: Settlement, resolution: string, isSenderGone = false) {
    return this.#write((requests) => requests.resolve(id, settlement, resolution, isSenderGone), {
      isDurable: true,
    });
  }

  senderOf(id: string) {
    return this.#read((requests) => requests.senderOf(id));
  }

  list(filter: EntryFilter) {
    return this.#read((requests) => requests.list(filter));
  }

  find(id: string) {
    return this.#read((requests) => requests.find(id));
  }

  entries(ids: readonly string[]) {
    return this.#read((requests) => requests.entries(ids));
  }

  batches() {
    return this.#read((requests) => requests.batches());
  }

  batchEntries(batch: Pick<BatchPart, 'batch' | 'account'>) {
    return this.#read((_, queries) => batchEntryIds(queries, batch));
  }

  openAmounts(batch: Pick<BatchPart, 'batch' | 'account'>) {
    return this.#read((_, queries) => openAmounts(queries, batch));
  }

  async time() {
    return this.#clock.now().toISOString();
  }

  isMadeByAnother(recordId: string, entryId: string) {
    return this.#read((requests) => requests.isMadeByAnother(recordId, entryId));
  }

  currencyOf(
    destination: Pick<Destination, 'account' | 'profile' | 'host'>,
    record: { purchase: string } | { refund: string },
  ) {
    return this.#read((_, queries) =>
      'purchase' in record
        ? currencyOfPurchase(queries, destination, record.purchase)
        : refundTie(queries, destination, record.refund).currency,
    );
  }

  currenciesOf(
    destination: Pick<Destination, 'account' | 'profile' | 'host'>,
    purchases: readonly string[],
  ) {
    return this.#read((_, queries) => {
      const found = new Map<string, string>();
      for (const purchase of purchases) {
        const currency = currencyOfPurchase(queries, destination, purchase);
        if (currency !== undefined) found.set(purchase, currency);
      }
      return found;
    });
  }

  async indexUnresolved() {
    const ids = await this.#read((_, queries) => unindexedRequests(queries));
    if (ids.length === 0) return;
    await this.#write((_, queries) => {
      for (const id of ids) indexRequest(queries, id);
    });
  }

  balance(destination: Destination, purchaseId: string) {
    return this.#read((requests) => requests.balance(destination, purchaseId));
  }

  balances(destination: Destination, purchases: readonly string[]) {
    return this.#read((requests) => {
      const known = purchases.map((id) => [id, requests.balance(destination, id)] as const);
      return new Map(known.flatMap(([id, balance]) => (balance ? [[id, balance]] : [])));
    });
  }

  remember(sightings: () => readonly Sighting[]) {
    return this.#write((_, queries) => remember(queries, sightings()));
  }

  remembered(what: WantedRecords, limit: number) {
    return this.#read((_, queries) => findSightings(queries, what, limit));
  }

  forget(profile: string) {
    return this.#write((requests, queries) => {
      requests.forget(profile);
      forgetSightings(queries, profile);
    });
  }

  prune(before: string) {
    return this.#write((requests, queries) => ({
      ...requests.prune(before),
      records: pruneSightings(queries, before),
    }));
  }

  async close() {
    this.#writer.drain();
    await this.#database.closeSynced();
  }

  #read<Result>(work: Work<Result>): Promise<Result> {
    return guarded(this.#file, () =>
      this.#database.read((queries) => work(this.#requests(queries), queries)),
    );
  }

  #write<Result>(work: Work<Result>, { isDurable = false } = {}): Promise<Result> {
    return guarded(this.#file, () =>
      this.#writer.write((queries) => work(this.#requests(queries), queries), isDurable),
    );
  }

  #requests(queries: Queries): MoneyRequests {
    return new MoneyRequests(queries, {
      owners: this.#owners,
      author: this.#author,
      isDeferring: this.#isDeferring,
      now: this.#clock.now(),
    });
  }
}

/** What is done in one transaction. */
type Work<Result> = (requests: MoneyRequests, queries: Queries) => Result;

async function beforeSending<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Failure
      ? error.reworded({ next: `Nothing was sent. ${error.next}` })
      : error;
  }
}

/** A ledger that cannot be used stands in the way of the request, whatever is wrong with it. */
async function guarded<Result>(
  { name, path }: FileFormat,
  work: () => Promise<Result> | Result,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) {
      const { message, code, next, cause } = error;
      throw new Failure('guard', message, { code, next, cause });
    }
    if (!(error instanceof Error && 'errcode' in error)) throw error;
    throw new Failure('guard', `${name} ${path} cannot be used: ${error.message}.`, {
      code: 'file-unusable',
      next: 'Check the file and the disk that it is on.',
      cause: error,
    });
  }
}
