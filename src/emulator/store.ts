/**
 * The store: the memory of the test gateway, in one SQLite file that any number of gw processes and a server use at
 * the same time.
 *
 * A request does all its work inside one transaction (see `store/sqlite/database.ts`). An error thrown inside undoes
 * all of it, including the random numbers that were drawn. A seed determines them, so that a fresh gateway creates the
 * same ids everywhere.
 */
import { DEFAULT_DIALECT, type Dialect } from '../contract/local-account.ts';
import { sha256 } from '../host/digest.ts';
import { firstRow, insert, onlyRow, update } from '../store/sql.ts';
import { Database } from '../store/sqlite/database.ts';
import { Queries } from '../store/sqlite/queries.ts';
import {
  type ClockState,
  dateTime,
  dayOf,
  type GatewayClock,
  virtualNow,
} from './gateway-clock.ts';
import { storeFile } from './schema.ts';

type OuterClock = Pick<GatewayClock, 'now'>;

interface Settings extends ClockState {
  seed: string;
  /** 1 or 0 */
  live: number;
  dialect: Dialect;
  billing_day: string;
}

/** The access of a request to the store. It is valid until the transaction ends. */
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

  /** `now` in the form of records: a date-time with offset. */
  get dateTime(): string {
    return dateTime(this.now);
  }

  /** @returns the gateway's time at an earlier instant of the outer clock, however the clock was moved since then */
  timeAt(outer: Date): Date {
    const move = this.do(
      firstRow<{ outer_at: string; gateway_at: string }>(
        'SELECT outer_at, gateway_at FROM clock_moves WHERE outer_at >= ? ORDER BY rowid LIMIT 1',
        [outer.toISOString()],
      ),
    );
    const after = move ? new Date(move.gateway_at) : this.now;
    if (this.#read().frozen_at !== null) return after;
    const outerAfter = move ? new Date(move.outer_at) : this.#clock.now();
    return new Date(after.getTime() - (outerAfter.getTime() - outer.getTime()));
  }

  /** Determines the ids and tokens. */
  get seed(): string {
    return this.#read().seed;
  }

  /** true if the store plays the live environment. */
  get isLive(): boolean {
    return this.#read().live === 1;
  }

  /** The dialect, which decides which requests are accepted and which fields answers add. */
  get dialect(): Dialect {
    return this.#read().dialect;
  }

  /** The first day that is not billed yet, `YYYY-MM-DD`. */
  get billingDay(): string {
    return this.#read().billing_day;
  }

  /** Whether a day has passed that is not billed. */
  get isBehind(): boolean {
    return this.billingDay < this.today;
  }

  setDialect(dialect: Dialect): void {
    this.#change({ dialect });
  }

  setBillingDay(day: string): void {
    this.#change({ billing_day: day });
  }

  /**
   * @param kind the purpose of the number: records of one kind do not change the ids of another
   * @returns the next random number of the seed, 0 to 2⁶⁴ - 1
   */
  random(kind: string): bigint {
    const last = this.do(
      firstRow<{ state: string }>('SELECT state FROM random WHERE kind = ?', [kind]),
    );
    const { state, random } = drawNumber(
      last ? BigInt(last.state) : stateOf(`${this.seed}/${kind}`),
    );
    this.setRandom(kind, state);
    return random;
  }

  /** Sets the state from which the next number of a kind is drawn. */
  setRandom(kind: string, state: bigint): void {
    const onConflict = 'ON CONFLICT (kind) DO UPDATE SET state = excluded.state';
    this.do(insert('random', { kind, state: String(state) }, onConflict));
  }

  /** Moves the gateway's time forward to an instant; it never moves back. */
  moveTo(instant: Date): void {
    const settings = this.#read();
    const before = virtualNow(this.#clock, settings);
    if (before >= instant) return;
    const outer_at = this.#clock.now().toISOString();
    this.do(insert('clock_moves', { outer_at, gateway_at: before.toISOString() }));
    if (settings.frozen_at !== null) this.#change({ frozen_at: instant.toISOString() });
    else this.#change({ offset_ms: instant.getTime() - this.#clock.now().getTime() });
    this.#now = instant;
  }

  #change(changes: Partial<Settings>): void {
    const settings = this.#read();
    this.do(update('gateway', { ...changes }, { one: 1 }));
    this.#settings = { ...settings, ...changes };
  }

  #read(): Settings {
    this.#settings ??= this.do(onlyRow<Settings>('SELECT * FROM gateway'));
    return this.#settings;
  }
}

/** The contents of a new store: its settings first, then its records. */
export interface Contents {
  seed: string;
  /** The ISO 8601 instant at which the gateway's time stands still; null if it runs. */
  frozenAt: string | null;
  /** The gateway's first time, if it runs; by default the outer clock's. */
  startsAt?: Date | undefined;
  /** true for the live environment. */
  isLive: boolean;
  dialect?: Dialect | undefined;
  fill(transaction: Transaction): void;
}

export interface StoreOptions {
  /** A file, which is created with its directories if it is missing, or `:memory:`. */
  path: string;
  clock: OuterClock;
  /** Makes the contents of a new file; most files are not new. */
  contents: () => Contents;
}

export class Store {
  readonly path: string;
  /** true if opening created or filled the file. */
  readonly isNew: boolean;
  readonly #database: Database;
  readonly #clock: OuterClock;

  /** @throws Failure usage if the file is damaged, not gw's, of a newer version, or not usable */
  constructor({ path, clock, contents }: StoreOptions) {
    this.path = path;
    this.#clock = clock;
    let isNew = false;
    this.#database = new Database(storeFile(path), (queries) => {
      isNew = true;
      this.#fill(contents(), queries);
    });
    this.isNew = isNew;
  }

  /** Runs `work` on one snapshot; it must not write. @throws any error of `work`; Failure usage for a bad file */
  read<Result>(work: (transaction: Transaction) => Result): Result {
    return this.#database.read((queries) => work(new Transaction(queries, this.#clock)));
  }

  /** Runs `work` alone: everything is kept, or nothing if it throws. @throws as `read` */
  write<Result>(work: (transaction: Transaction) => Result): Result {
    return this.#database.write((queries) => work(new Transaction(queries, this.#clock)));
  }

  /** Replaces the whole contents of the file in one step; processes that have it open go on with the new contents. */
  replaceContents(contents: Contents): void {
    this.#database.startOver((queries) => this.#fill(contents, queries));
  }

  close(): void {
    this.#database.close();
  }

  #fill(contents: Contents, queries: Queries): void {
    const transaction = new Transaction(queries, this.#clock);
    const outer = this.#clock.now().getTime();
    transaction.do(
      insert('gateway', {
        one: 1,
        seed: contents.seed,
        frozen_at: contents.frozenAt,
        offset_ms: (contents.startsAt?.getTime() ?? outer) - outer,
        live: Number(contents.isLive),
        dialect: contents.dialect ?? DEFAULT_DIALECT,
      }),
    );
    transaction.setBillingDay(transaction.today);
    contents.fill(transaction);
  }
}

const word = (number: bigint) => BigInt.asUintN(64, number);

/**
 * The next random number, by SplitMix64.
 * @param state the state after the number before it. States and numbers are from 0 to 2⁶⁴ - 1
 */
export function drawNumber(state: bigint): { state: bigint; random: bigint } {
  const next = word(state + 0x9e3779b97f4a7c15n);
  const mixed = word((next ^ (next >> 30n)) * 0xbf58476d1ce4e5b9n);
  const random = word((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
  return { state: next, random: random ^ (random >> 31n) };
}

/** @returns the first state for a text */
export function stateOf(text: string): bigint {
  return BigInt(`0x${sha256(text).slice(0, 16)}`);
}
