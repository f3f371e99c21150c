/**
 * The store: what the embedded gateway remembers, in one SQLite file that any number of gw processes
 * and a server use at the same time.
 *
 * Whatever a request does, it does inside one transaction (see `store/sqlite/database.ts`). An error
 * thrown inside undoes all of it, the numbers that were drawn included.
 */

import { DEFAULT_DIALECT, type Dialect } from '../contract/local-account.ts';
import { Database } from '../store/sqlite/database.ts';
import { Queries } from '../store/sqlite/queries.ts';
import { type Clock, type ClockState, dateTime, dayOf, virtualNow } from './gateway-clock.ts';
import { drawn, stateOf } from './random-numbers.ts';
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
  #settings: Settings | undefined;
  #now: Date | undefined;

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
    return dayOf(this.now);
  }

  /** `now` as records have it: a date-time with offset. */
  get dateTime(): string {
    return dateTime(this.now);
  }

  /** Decides the ids and tokens. */
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

  /** The first day that is not billed yet, `YYYY-MM-DD`. */
  get billingDay(): string {
    return this.#read().billing_day;
  }

  setDialect(dialect: Dialect): void {
    this.#change({ dialect });
  }

  setBillingDay(day: string): void {
    this.#change({ billing_day: day });
  }

  /**
   * @param kind of what the number is for: what is made of one kind does not change the ids of another
   * @returns the next random number of the seed, 0 to 2⁶⁴ - 1
   */
  random(kind: string): bigint {
    const last = this.get<{ state: string }>('SELECT state FROM random WHERE kind = ?', kind);
    const { state, random } = drawn(last ? BigInt(last.state) : stateOf(`${this.seed}/${kind}`));
    this.setRandom(kind, state);
    return random;
  }

  /** Makes the next number of a kind the one that follows a state. */
  setRandom(kind: string, state: bigint): void {
    const onConflict = 'ON CONFLICT (kind) DO UPDATE SET state = excluded.state';
    this.insert('random', { kind, state: String(state) }, onConflict);
  }

  /** Moves the gateway's time forward to an instant; it never goes back. */
  moveTo(instant: Date): void {
    const settings = this.#read();
    if (virtualNow(this.#clock, settings) >= instant) return;
    if (settings.frozen_at !== null) this.#change({ frozen_at: instant.toISOString() });
    else this.#change({ offset_ms: instant.getTime() - this.#clock.now().getTime() });
    this.#now = instant;
  }

  #change(changes: Partial<Settings>): void {
    const settings = this.#read();
    this.update('gateway', { ...changes }, { one: 1 });
    this.#settings = { ...settings, ...changes };
  }

  #read(): Settings {
    this.#settings ??= this.one<Settings>('SELECT * FROM gateway');
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
    return this.#database.write((queries) => work(new Transaction(queries, this.#clock)));
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
    transaction.setBillingDay(transaction.today);
    contents.fill(transaction);
  }
}
