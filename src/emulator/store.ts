/**
 * The store: one SQLite file that any number of gw processes and a server use at the same time.
 *
 * Whatever a request does, it does inside one transaction. A write takes the write lock first
 * (BEGIN IMMEDIATE), so what it reads is still true when it commits; others wait for it, at most
 * `BUSY_TIMEOUT_MS`. A read is one snapshot and waits for nobody (write-ahead log). An error thrown
 * inside undoes all of it, ids handed out included.
 *
 * A process may open this file for a single request, so a file that is up to date costs one
 * statement to open, and statements are prepared when first used.
 */
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { explain, type FileNaming, NotOurFile } from '../storage/file-failure.ts';
import { closeDatabase, IN_MEMORY, openDatabase, useWriteAheadLog } from '../storage/open-file.ts';
import { fromStored, toStored, type Value } from '../storage/stored-text.ts';
import { type Clock, type ClockState, dayOf, virtualNow } from './gateway-clock.ts';
import { dropEverything, fileState, migrate } from './schema.ts';

const BUSY_TIMEOUT_MS = 15_000;
/** Billing a day writes all over the file, and a page that does not fit is written more than once. */
const CACHE_KIB = 64 * 1024;

/** What a request may do with the store. Valid until its transaction ends. */
export interface Transaction {
  /** The gateway's own time, the same for the whole transaction. */
  readonly now: Date;
  /** Identifies the sequence of ids. */
  readonly seed: string;
  /** true when the store plays the live environment. */
  readonly isLive: boolean;
  /** @returns the first row, or undefined */
  get<Row extends object>(sql: string, ...values: Value[]): Row | undefined;
  all<Row extends object>(sql: string, ...values: Value[]): Row[];
  run(sql: string, ...values: Value[]): void;
  /** @returns the next number of a sequence, from 1 */
  next(kind: string): number;
  /** Moves the gateway's time forward to an instant; it never goes back. */
  moveTo(instant: Date): void;
}

/** Fills a new store: its settings first, then whatever it starts with. */
export interface Contents {
  seed: string;
  /** ISO 8601 instant at which the gateway's time stands still, or null where it runs. */
  frozenAt: string | null;
  /** true for the live environment. */
  isLive: boolean;
  fill(transaction: Transaction): void;
}

export interface StoreOptions {
  /** A file, made with its directories where there is none, or `:memory:`. */
  path: string;
  clock: Pick<Clock, 'now'>;
  /** What a new file is filled with. */
  contents: Contents;
}

interface Settings extends ClockState {
  seed: string;
  /** 1 or 0 */
  live: number;
}

export class Store {
  readonly path: string;
  /** true when opening it made or filled the file. */
  readonly isNew: boolean;
  readonly #naming: FileNaming;
  readonly #database: DatabaseSyncInstance;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #statements = new Map<string, StatementSyncInstance>();

  /** @throws Failure usage when the file is damaged, not gw's, of a newer version, or not usable */
  constructor({ path, clock, contents }: StoreOptions) {
    this.path = path;
    this.#clock = clock;
    this.#naming = namingOf(path);
    this.#database = openDatabase(this.#naming, BUSY_TIMEOUT_MS);
    try {
      this.isNew = this.#prepareFile(contents);
    } catch (error) {
      this.#database.close();
      throw explain(error, this.#naming);
    }
  }

  /** Runs `work` on one snapshot; it must not write. @throws what `work` throws, Failure usage for a bad file */
  read<Result>(work: (transaction: Transaction) => Result): Result {
    return this.#transact('BEGIN', work);
  }

  /** Runs `work` alone: all of it is kept, or nothing when it throws. @throws as `read` */
  write<Result>(work: (transaction: Transaction) => Result): Result {
    return this.#transact('BEGIN IMMEDIATE', work);
  }

  /** Replaces everything in the file in one step; others that have it open go on with the new contents. */
  replaceContents(contents: Contents): void {
    // Only possible between transactions, and without it no table could be dropped before another.
    this.#database.exec('PRAGMA foreign_keys = OFF');
    try {
      this.write((transaction) => {
        dropEverything(this.#database);
        this.#fill(contents, transaction);
      });
    } finally {
      this.#database.exec('PRAGMA foreign_keys = ON');
    }
  }

  close(): void {
    this.#statements.clear();
    closeDatabase(this.#database, this.path);
  }

  /** Brings the file up to date. @returns whether it had to be filled */
  #prepareFile(contents: Contents): boolean {
    // One snapshot: another process may be filling the file just now.
    this.#database.exec('BEGIN');
    const state = fileState(this.#database);
    this.#database.exec('COMMIT');
    if (state === 'newer')
      throw new NotOurFile(
        `The embedded gateway's file ${this.path} was written by a newer gw.`,
        this.#naming,
      );
    if (state === 'foreign')
      throw new NotOurFile(
        `${this.path} is a database, but not one of the embedded gateway.`,
        this.#naming,
      );
    if (state === 'empty' && this.path !== IN_MEMORY) useWriteAheadLog(this.#database);
    this.#database.exec(`PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${CACHE_KIB}`);
    if (state === 'current') return false;
    return this.#transact('BEGIN IMMEDIATE', (transaction) => {
      // Another process may have been first.
      const found = fileState(this.#database);
      if (found === 'empty') this.#fill(contents, transaction);
      if (found === 'older') {
        migrate(this.#database);
        // Days before billing was known are not billed after the fact.
        transaction.run(
          "UPDATE gateway SET billing_day = ? WHERE billing_day = ''",
          dayOf(transaction.now),
        );
      }
      return found === 'empty';
    });
  }

  #fill(contents: Contents, transaction: Transaction): void {
    migrate(this.#database);
    transaction.run(
      'INSERT INTO gateway (one, seed, frozen_at, offset_ms, live) VALUES (1, ?, ?, 0, ?)',
      contents.seed,
      contents.frozenAt,
      contents.isLive ? 1 : 0,
    );
    transaction.run('UPDATE gateway SET billing_day = ?', dayOf(transaction.now));
    contents.fill(transaction);
  }

  #transact<Result>(begin: string, work: (transaction: Transaction) => Result): Result {
    try {
      this.#database.exec(begin);
      const result = work(this.#transaction());
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw explain(error, this.#naming);
    }
  }

  #transaction(): Transaction {
    const prepare = (sql: string) => this.#prepare(sql);
    const clock = this.#clock;
    let settings: Settings | undefined;
    let now: Date | undefined;
    const readSettings = () => {
      settings ??= decoded<Settings>(
        prepare('SELECT seed, live, frozen_at, offset_ms FROM gateway').get(),
      );
      return settings;
    };
    return {
      get now() {
        now ??= virtualNow(clock, readSettings());
        return now;
      },
      get seed() {
        return readSettings().seed;
      },
      get isLive() {
        return readSettings().live === 1;
      },
      get<Row extends object>(sql: string, ...values: Value[]) {
        const row = prepare(sql).get(...values.map(toStored));
        return row === undefined ? undefined : decoded<Row>(row);
      },
      all<Row extends object>(sql: string, ...values: Value[]) {
        return prepare(sql)
          .all(...values.map(toStored))
          .map((row) => decoded<Row>(row));
      },
      run(sql: string, ...values: Value[]) {
        prepare(sql).run(...values.map(toStored));
      },
      next(kind: string) {
        const { last } = prepare(
          'INSERT INTO counters (kind, last) VALUES (?, 1) ON CONFLICT (kind) DO UPDATE SET last = last + 1 RETURNING last',
        ).get(kind);
        return last;
      },
      moveTo(instant: Date) {
        if (virtualNow(clock, readSettings()) >= instant) return;
        const isFrozen = readSettings().frozen_at !== null;
        prepare('UPDATE gateway SET frozen_at = ?, offset_ms = ?').run(
          isFrozen ? instant.toISOString() : null,
          isFrozen ? 0 : instant.getTime() - clock.now().getTime(),
        );
        settings = undefined;
        now = instant;
      },
    };
  }

  #prepare(sql: string): StatementSyncInstance {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function namingOf(path: string): FileNaming {
  return {
    path,
    name: "The embedded gateway's file",
    repair: 'Choose another file, or make a new one with `gw emulator reset`.',
  };
}

/** The row type is what the caller's SQL selects. */
function decoded<Row extends object>(row: object): Row {
  const values: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) values[column] = fromStored(value);
  return values as Row;
}
