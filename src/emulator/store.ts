/**
 * The store: what the embedded gateway remembers, in one SQLite file that any number of gw processes
 * and a server use at the same time.
 *
 * Whatever a request does, it does inside one transaction (see `store/sqlite/database.ts`). An error
 * thrown inside undoes all of it, ids handed out included.
 */
import { Database } from '../store/sqlite/database.ts';
import { Queries } from '../store/sqlite/queries.ts';
import type { Columns, Values } from '../store/sqlite/statement.ts';
import { DEFAULT_DIALECT, type Dialect } from './dialect.ts';
import { type Clock, type ClockState, dateTime, dayOf, virtualNow } from './gateway-clock.ts';
import { storeFile } from './schema.ts';

type OuterClock = Pick<Clock, 'now'>;

interface Settings extends ClockState {
  seed: string;
  /** 1 or 0 */
  live: number;
  dialect: Dialect;
  billing_day: string;
}

/** What a request may do with the store. Valid until its transaction ends. */
export class Transaction extends Queries {
  readonly #clock: OuterClock;
  readonly #counters = new Counters(this);
  #settings: Settings | undefined;
  #now: Date | undefined;
  #today: string | undefined;
  #dateTime: string | undefined;
  #writes = 0;

  constructor(queries: Queries, clock: OuterClock) {
    super(queries);
    this.#clock = clock;
  }

  /** The gateway's own time, the same for the whole transaction. */
  get now(): Date {
    this.#now ??= virtualNow(this.#clock, this.#read());
    return this.#now;
  }

  /** The day of `now`, `YYYY-MM-DD`. */
  get today(): string {
    this.#today ??= dayOf(this.now);
    return this.#today;
  }

  /** `now` as records have it: a date-time with offset. */
  get dateTime(): string {
    this.#dateTime ??= dateTime(this.now);
    return this.#dateTime;
  }

  /** Identifies the sequence of ids. */
  get seed(): string {
    return this.#read().seed;
  }

  /** true when the store plays the live environment. */
  get isLive(): boolean {
    return this.#read().live === 1;
  }

  /** What the gateway takes of requests, and adds to answers. */
  get dialect(): Dialect {
    return this.#read().dialect;
  }

  setDialect(dialect: Dialect): void {
    this.run('UPDATE gateway SET dialect = ?', dialect);
    this.#settings = undefined;
  }

  /** The first day that is not billed yet, `YYYY-MM-DD`. */
  get billingDay(): string {
    return this.#read().billing_day;
  }

  setBillingDay(day: string): void {
    this.run('UPDATE gateway SET billing_day = ?', day);
    this.#settings = undefined;
  }

  /** How often it has written so far: whoever wants nothing of a request kept compares. */
  get writes(): number {
    return this.#writes;
  }

  override run(sql: string, ...values: Values): void {
    this.#writes++;
    super.run(sql, ...values);
  }

  override insert(table: string, row: Columns, onConflict = ''): void {
    this.#writes++;
    super.insert(table, row, onConflict);
  }

  override insertAll(table: string, rows: readonly Columns[]): void {
    this.#writes++;
    super.insertAll(table, rows);
  }

  override update(table: string, changes: Columns, where: Columns): void {
    this.#writes++;
    super.update(table, changes, where);
  }

  /** @returns the next number of a sequence, from 1 */
  next(kind: string): number {
    this.#writes++;
    return this.#counters.next(kind);
  }

  /** Writes down what was counted: the last thing that is done in a transaction that wrote. */
  finish(): void {
    this.#counters.write();
  }

  /** Moves the gateway's time forward to an instant; it never goes back. */
  moveTo(instant: Date): void {
    const settings = this.#read();
    if (virtualNow(this.#clock, settings) >= instant) return;
    const moved =
      settings.frozen_at === null
        ? [null, instant.getTime() - this.#clock.now().getTime()]
        : [instant.toISOString(), 0];
    this.run('UPDATE gateway SET frozen_at = ?, offset_ms = ?', ...moved);
    this.#settings = undefined;
    this.#now = instant;
    this.#today = undefined;
    this.#dateTime = undefined;
  }

  #read(): Settings {
    this.#settings ??= this.one<Settings>(
      'SELECT seed, live, dialect, frozen_at, offset_ms, billing_day FROM gateway',
    );
    return this.#settings;
  }
}

/** What a new store starts with: its settings first, then its records. */
export interface Contents {
  seed: string;
  /** ISO 8601 instant at which the gateway's time stands still, or null where it runs. */
  frozenAt: string | null;
  /** The gateway's time at the beginning, where it runs; the outer clock's without it. */
  startsAt?: Date | undefined;
  /** true for the live environment. */
  isLive: boolean;
  dialect?: Dialect | undefined;
  fill(transaction: Transaction): void;
}

export interface StoreOptions {
  /** A file, made with its directories where there is none, or `:memory:`. */
  path: string;
  clock: OuterClock;
  /** What a new file is filled with. */
  contents: Contents;
}

export class Store {
  readonly path: string;
  /** true when opening it made or filled the file. */
  readonly isNew: boolean;
  readonly #database: Database;
  readonly #clock: OuterClock;

  /** @throws Failure usage when the file is damaged, not gw's, of a newer version, or not usable */
  constructor({ path, clock, contents }: StoreOptions) {
    this.path = path;
    this.#clock = clock;
    let isNew = false;
    this.#database = new Database(storeFile(path), (queries) => {
      isNew = true;
      this.#fill(contents, queries);
    });
    this.isNew = isNew;
  }

  /** Runs `work` on one snapshot; it must not write. @throws what `work` throws, Failure usage for a bad file */
  read<Result>(work: (transaction: Transaction) => Result): Result {
    return this.#database.read((queries) => work(new Transaction(queries, this.#clock)));
  }

  /** Runs `work` alone: all of it is kept, or nothing when it throws. @throws as `read` */
  write<Result>(work: (transaction: Transaction) => Result): Result {
    return this.#database.write((queries) => {
      const transaction = new Transaction(queries, this.#clock);
      const result = work(transaction);
      transaction.finish();
      return result;
    });
  }

  /** Replaces everything in the file in one step; others that have it open go on with the new contents. */
  replaceContents(contents: Contents): void {
    this.#database.startOver((queries) => this.#fill(contents, queries));
  }

  close(): void {
    this.#database.close();
  }

  #fill(contents: Contents, queries: Queries): void {
    const transaction = new Transaction(queries, this.#clock);
    const outer = this.#clock.now().getTime();
    transaction.insert('gateway', {
      one: 1,
      seed: contents.seed,
      frozen_at: contents.frozenAt,
      offset_ms: (contents.startsAt?.getTime() ?? outer) - outer,
      live: Number(contents.isLive),
      dialect: contents.dialect ?? DEFAULT_DIALECT,
    });
    setBillingDay(transaction);
    contents.fill(transaction);
    transaction.finish();
  }
}

/** Makes today the first day that is not billed yet, where the store has none. */
function setBillingDay(transaction: Transaction): void {
  transaction.update('gateway', { billing_day: transaction.today }, { billing_day: '' });
}

/**
 * The sequences that ids are numbered by. A transaction counts in memory and writes down once, before it
 * ends, how far it came: many ids are taken in most of them.
 */
class Counters {
  readonly #queries: Queries;
  readonly #last = new Map<string, number>();

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  /** @returns the next number of a sequence, from 1 */
  next(kind: string): number {
    const next = (this.#last.get(kind) ?? this.#stored(kind)) + 1;
    this.#last.set(kind, next);
    return next;
  }

  /** Writes down the numbers that were taken; no more may be taken then. */
  write(): void {
    for (const [kind, last] of this.#last)
      this.#queries.insert(
        'counters',
        { kind, last },
        'ON CONFLICT (kind) DO UPDATE SET last = excluded.last',
      );
  }

  #stored(kind: string): number {
    const sql = 'SELECT last FROM counters WHERE kind = ?';
    return this.#queries.get<{ last: number }>(sql, kind)?.last ?? 0;
  }
}
