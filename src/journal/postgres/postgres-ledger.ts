/** The ledger on a PostgreSQL server that a team shares. Time is the server's. */
import { randomUUID } from 'node:crypto';
import { Batcher } from '../../base/batcher.ts';
import { Failure } from '../../failure.ts';
import type { Clock } from '../../host/host.ts';
import { refuseOtherForm } from '../../store/ledger/init.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import { PostgresStore } from '../../store/postgres/postgres-store.ts';
import type { Server } from '../../store/postgres/server.ts';
import { together, type Work } from '../../store/sql.ts';
import type { Author, Intended, LateOutcome, Ledger, RecordSnapshot } from '../ledger.ts';
import type { KeptOutcome, OutcomeKeeper } from '../outcome-outbox.ts';
import type { Intent, Writer } from '../requests/intents.ts';
import { type Outcome, type WrittenOutcome, writeOutcomes } from '../requests/outcomes.ts';
import { LEASE_MS } from '../requests/sending.ts';
import { entryLost, type LedgerStore, SqlLedger } from '../sql-ledger.ts';
import type { LedgerMark, LedgerMarks } from './ledger-marks.ts';
import { restoredFailure, type Standing, standingColumns } from './restored.ts';
import { intendAll } from './server-intents.ts';
import { locksOf, transact } from './server-transactions.ts';

export interface PostgresLedgerOptions {
  /** Who sends and resolves. */
  author: Author;
  clock: Pick<Clock, 'now' | 'uptimeMs'>;
  /** Given by whoever has many requests in flight: what comes in one turn goes together. */
  endOfTurn?: (() => Promise<void>) | undefined;
  /** Entries of the ledger that this machine has seen; without them nobody knows here whether it went back. */
  marks?: LedgerMarks | undefined;
  /** Where outcomes go that the server cannot be told. */
  keeper?: OutcomeKeeper | undefined;
  /** Told of outcomes that come after somebody has resolved their entry. */
  onLate?: ((late: LateOutcome) => void) | undefined;
}

/** Opens the ledger of a server, which is connected to when it is first asked; closing it ends that. */
export function openPostgresLedger(server: Server, options: PostgresLedgerOptions): Ledger {
  return new SqlLedger(new ServerLedgerStore(server, options));
}

/** What is asked at one moment; its answer comes in a box, since an answer of nothing is one as well. */
type Question = () => Work<{ answer: unknown }>;

class ServerLedgerStore implements LedgerStore {
  readonly writer: Writer;
  readonly machine: string;
  readonly lost: OutcomeKeeper | undefined;
  readonly #server: Server;
  readonly #store: PostgresStore;
  readonly #marks: LedgerMarks | undefined;
  readonly #keeper: OutcomeKeeper | undefined;
  readonly #onLate: PostgresLedgerOptions['onLate'];
  readonly #intents: Batcher<Intent, Intended>;
  readonly #questions: Batcher<Question, { answer: unknown }>;
  readonly #outcomes: Batcher<Outcome, WrittenOutcome>;
  #opened: Promise<void> | undefined;
  /** Why nothing could be sent when it was opened. */
  #refused: Failure | undefined;

  constructor(server: Server, options: PostgresLedgerOptions) {
    const { author, clock, endOfTurn, marks, keeper, onLate } = options;
    const processes = { self: randomUUID(), isGone: () => undefined };
    this.writer = { processes, author, leaseMs: LEASE_MS, isDeferring: false };
    this.machine = author.machine;
    this.#server = server;
    this.#store = new PostgresStore(server, transact);
    this.lost = keeper;
    this.#marks = marks;
    this.#keeper = keeper;
    this.#onLate = onLate;
    const onNotKnown = (ids: readonly string[]) => this.#keepUnsent(ids);
    const onNotSent = (ids: readonly string[]) => this.#settleUnsent(ids);
    const parts = { server, clock, writer: this.writer, marks, onNotKnown, onNotSent };
    this.#intents = new Batcher<Intent, Intended>({
      work: (tasks) => intendAll(tasks, parts),
      keysOf: locksOf,
      endOfTurn,
    });
    this.#questions = new Batcher({
      work: (asked) => this.#store.read(() => together(asked.map((question) => question()))),
      endOfTurn,
    });
    this.#outcomes = new Batcher({ work: (outcomes) => this.#writeAll(outcomes), endOfTurn });
  }

  async read<Result>(work: () => Work<Result>): Promise<Result> {
    await this.#open();
    const { answer } = await this.#questions.do(function* () {
      return { answer: yield* work() };
    });
    return answer as Result;
  }

  async write<Result>(work: () => Work<Result>): Promise<Result> {
    await this.#open();
    return this.#store.write(work);
  }

  async admit(): Promise<void> {
    await this.#open();
    if (this.#refused) throw this.#refused;
    this.#keeper?.refuseSending();
  }

  async intend(intent: Omit<Intent, 'id'>): Promise<Intended> {
    await this.#open();
    this.#keeper?.refuseSending();
    return this.#intents.do({ ...intent, id: randomUUID() });
  }

  async settle(outcome: Outcome): Promise<void> {
    const { entry, snapshots } = outcome;
    try {
      await this.#open();
      const { isThere } = await this.#outcomes.do(outcome);
      if (!isThere) throw entryLost();
    } catch (error) {
      if (!entry) throw error;
      const { id, settlement } = entry;
      throw this.#kept({ entry: id, settlement, snapshots, mayBeMissing: false }, error);
    }
  }

  remember(snapshots: () => readonly RecordSnapshot[]): Promise<void> {
    return this.settle({ snapshots: snapshots() });
  }

  async close(): Promise<void> {
    await Promise.all([this.#intents.idle(), this.#questions.idle(), this.#outcomes.idle()]);
    await this.#keeper?.end((outcome) => this.#settleKept(outcome));
    await this.#server.close();
  }

  async #writeAll(outcomes: readonly Outcome[]): Promise<WrittenOutcome[]> {
    const written = await this.#store.write(() => writeOutcomes(outcomes, this.writer));
    for (const { late } of written) if (late) this.#onLate?.(late);
    return written;
  }

  /** Before the first thing that is asked: whether there is a ledger, and one that this gw writes. */
  async #open(): Promise<void> {
    this.#opened ??= this.#begin().catch((error) => {
      this.#opened = undefined;
      throw error;
    });
    await this.#opened;
  }

  async #begin(): Promise<void> {
    const marks = this.#marks?.all() ?? [];
    const [ledger] = await this.#server.runAgain<Opened>(
      `SELECT ledger.id, form, entry, at, ${standingColumns(marks)}
         FROM gw.ledger LEFT JOIN (SELECT id AS entry, created_at AS at FROM gw.money_requests
                                    ORDER BY created_at DESC, number DESC LIMIT 1) AS newest ON true`,
    );
    refuseOtherForm(ledger?.form ?? 0, labelOfAddress(this.#server.address));
    if (ledger) this.#look(ledger, marks);
    await this.#keeper?.begin(ledger?.id ?? '', (outcome) => this.#settleKept(outcome));
  }

  #look(ledger: Opened, marks: readonly LedgerMark[]): void {
    this.#refused = restoredFailure(this.#server, ledger, marks);
    const { entry, at } = ledger;
    if (!this.#refused && entry !== null && at !== null) this.#marks?.saw({ entry, at }, marks);
  }

  /** @returns the failure of an outcome that could not be written, which is kept if it can be */
  #kept(outcome: Omit<KeptOutcome, 'ledger' | 'address'>, error: unknown): unknown {
    if (!(error instanceof Failure)) return error;
    const isLost = error.code === 'entry-lost';
    if (!this.#keeper?.keep(outcome, isLost)) return error;
    if (isLost)
      return error.with({
        next: `gw keeps the outcome on this machine. \`gw journal resolve ${outcome.entry}\` shows it.`,
      });
    return new Failure('guard', error.message, {
      code: 'outcome-kept',
      next: 'gw keeps the outcome on this machine and writes it to the ledger when it can be reached. Until then the others see it as unknown.',
      cause: error,
    });
  }

  /** Nobody knows whether these were written; they are not sent. */
  #keepUnsent(ids: readonly string[]): void {
    const settlement = {
      ...NOT_SENT,
      message: 'The connection to the ledger was lost before the request was sent.',
    };
    for (const entry of ids)
      this.#keeper?.keep({ entry, settlement, snapshots: [], mayBeMissing: true });
  }

  async #settleUnsent(ids: readonly string[]): Promise<void> {
    const settlement = { ...NOT_SENT, message: 'gw could not note it on its machine.' };
    await this.#writeAll(ids.map((id) => ({ entry: { id, settlement }, snapshots: [] })));
  }

  async #settleKept({ entry: id, settlement, snapshots }: KeptOutcome): Promise<void> {
    const [written] = await this.#writeAll([{ entry: { id, settlement }, snapshots }]);
    if (!written?.isThere) throw entryLost();
  }
}

/** The answer to the first question. */
interface Opened extends Standing {
  id: string;
  form: number;
  /** Its newest entry. */
  entry: string | null;
  at: string | null;
}

const NOT_SENT = { state: 'not-sent', status: null, recordId: null } as const;
