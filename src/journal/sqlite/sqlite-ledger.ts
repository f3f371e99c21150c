/** The ledger in one SQLite file, private to the user and shared by every gw process of theirs. */
import { randomUUID } from 'node:crypto';
import { Failure } from '../../failure.ts';
import type { Clock } from '../../host/host.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import type { Work } from '../../store/sql.ts';
import { Database, type FileFormat } from '../../store/sqlite/database.ts';
import { SqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Author, Intended, LateOutcome, Ledger, RecordSnapshot } from '../ledger.ts';
import { remember } from '../records/snapshots.ts';
import { type Intent, intend, type Writer } from '../requests/intents.ts';
import { type Outcome, writeOutcomes } from '../requests/outcomes.ts';
import type { SendingProcesses } from '../requests/sending.ts';
import { beforeSending, entryLost, type LedgerStore, SqlLedger } from '../sql-ledger.ts';

export interface LedgerOptions {
  /** Tells which processes have ended; without it only the age of an intent tells. */
  processes?: SendingProcesses;
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
  const open = async () => new SqlLedger(new FileLedgerStore(file, clock, options));
  return beforeSending(guarded(file, open));
}

/**
 * For many requests: their ids are spread over all of an index, so that all of it is kept in memory (16 MiB),
 * and a page that is changed again and again is copied from the log to the file less often (16 MiB of log).
 */
const FOR_MANY = ['cache_size = -16384', 'wal_autocheckpoint = 4096'];
const NOBODY: SendingProcesses = { self: null, isGone: () => undefined };

class FileLedgerStore implements LedgerStore {
  readonly writer: Writer;
  readonly machine = undefined;
  readonly #file: FileFormat;
  readonly #store: SqliteStore;
  readonly #onLate: LedgerOptions['onLate'];

  constructor(file: FileFormat, clock: Pick<Clock, 'now'>, options: LedgerOptions) {
    const { processes = NOBODY, author, onLate, endOfTurn } = options;
    const isDeferring = endOfTurn !== undefined;
    this.writer = { processes, author, leaseMs: null, isDeferring };
    this.#file = file;
    this.#onLate = onLate;
    const database = new Database(file);
    if (isDeferring) for (const setting of FOR_MANY) database.set(setting);
    this.#store = new SqliteStore(database, clock, endOfTurn);
  }

  read<Result>(work: () => Work<Result>): Promise<Result> {
    return guarded(this.#file, () => this.#store.read(work));
  }

  write<Result>(work: () => Work<Result>, isDurable = false): Promise<Result> {
    return guarded(this.#file, () => this.#store.write(work, { isDurable }));
  }

  async intend(intent: Omit<Intent, 'id'>): Promise<Intended> {
    const id = randomUUID();
    const refused = await this.write(() => intend({ ...intent, id }, this.writer), true);
    return refused ?? { kind: 'recorded', id };
  }

  async settle(outcome: Outcome): Promise<void> {
    const { writer } = this;
    const [written] = await this.write(() => writeOutcomes([outcome], writer));
    if (!written?.isThere) throw entryLost();
    if (written.late) this.#onLate?.(written.late);
  }

  remember(snapshots: () => readonly RecordSnapshot[]): Promise<void> {
    return this.write(() => remember(snapshots()));
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

/** A ledger that cannot be used stands in the way of the request, whatever is wrong with it. */
async function guarded<Result>(
  { name, path }: FileFormat,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) throw error.with({ kind: 'guard' });
    if (!(error instanceof Error && 'errcode' in error)) throw error;
    throw new Failure('guard', `${name} ${path} cannot be used: ${error.message}.`, {
      code: 'file-unusable',
      next: 'Check the file and the disk that it is on.',
      cause: error,
    });
  }
}
