/**
 * A SQLite file that any number of gw processes use at the same time: the one place that makes,
 * opens, reads and writes one. What it holds is said by its `FileFormat`.
 *
 * Whatever is asked is asked inside a transaction. A read is one snapshot and waits for nobody
 * (write-ahead log). A write takes the write lock first, so what it reads is still true when it
 * commits; others wait for it, at most `busyTimeoutMs`. An error thrown inside undoes all of it. Nothing is
 * written to a file that is not at its path any more (same-file.ts).
 *
 * A process may open a file for a single request, so one that is up to date costs one statement.
 *
 * This folder has all of gw that speaks to SQLite, but for the SQL that is asked.
 */
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Failure } from '../../failure.ts';
import { explain, type FileNaming } from './file-failure.ts';
import { LogSync } from './log-sync.ts';
import { closeFile, IN_MEMORY, openFile, useWriteAheadLog } from './open-file.ts';
import { Queries } from './queries.ts';
import { SameFile } from './same-file.ts';

/** What a file is for. */
export interface FileFormat extends FileNaming {
  /** Tells in SQLite's header whose file it is. */
  applicationId: number;
  /** Makes its tables in an empty file, in SQL. */
  tables: string;
  /** Tells these tables from those of another version of gw: SQLite's `user_version`. */
  form: number;
  /** How long to wait while another process writes. */
  busyTimeoutMs: number;
  /** Settings of each connection, in SQL. */
  settings: string;
  /** @returns the failure of a file that another program, or another version of gw, wrote */
  refuse(what: 'foreign' | 'newer' | 'older'): Failure;
}

/** Fills a new file, in the transaction that makes its tables. */
type Fill = (queries: Queries) => void;

export class Database {
  readonly #format: FileFormat;
  readonly #connection: DatabaseSyncInstance;
  readonly #queries: Queries;
  readonly #log: LogSync;
  readonly #same: SameFile | undefined;

  /**
   * Opens a file; made with its directories (0700) where there is none.
   * @throws Failure usage when it is damaged or cannot be used, guard when it may be two (same-file.ts);
   *   what `refuse` makes of one that is not of this format
   */
  constructor(format: FileFormat, fill: Fill = () => undefined) {
    this.#format = format;
    this.#log = new LogSync(format);
    this.#same = format.path === IN_MEMORY ? undefined : new SameFile(format);
    this.#connection = openFile(format, format.busyTimeoutMs, this.#same);
    this.#queries = new Queries(this.#connection);
    try {
      this.#begin(fill);
      this.#same?.opened();
    } catch (error) {
      this.#connection.close();
      throw explain(error, format);
    }
  }

  /** Runs `work`, which must not write, on one snapshot. @throws what it throws; Failure usage for a bad file */
  read<Result>(work: (queries: Queries) => Result): Result {
    return this.#transact('BEGIN', work);
  }

  /**
   * Runs `work` alone: all of it is kept, or nothing when it throws.
   * @throws as `read`, and as `checkPlace` before anything is done
   */
  write<Result>(work: (queries: Queries) => Result): Result {
    this.checkPlace();
    return this.#transact('BEGIN IMMEDIATE', work);
  }

  /** @throws Failure guard when the file, with what was written to it, is not the one at its path */
  checkPlace(): void {
    this.#same?.check();
  }

  /**
   * Makes what is written from now on wait for the disk at the end of its transaction, or not. Who does
   * not wait there may wait for `synced`, while others write.
   */
  waitForDisk(waits: boolean): void {
    this.set(`synchronous = ${waits ? 'FULL' : 'NORMAL'}`);
  }

  /**
   * Resolves when all that was written by now is on disk.
   * @throws Failure usage when that cannot be said, and as `checkPlace`
   */
  async synced(): Promise<void> {
    try {
      if (this.#format.path !== IN_MEMORY) await this.#log.sync();
    } finally {
      this.checkPlace();
    }
  }

  /** Changes a setting of the connection, between transactions. */
  set(pragma: string): void {
    this.#connection.exec(`PRAGMA ${pragma}`);
  }

  /**
   * Writes the file anew without what was deleted from it, and empties its log. Others wait to write.
   * @returns false when somebody who reads keeps the log from being emptied
   */
  compact(): boolean {
    this.checkPlace();
    try {
      this.#connection.exec('VACUUM');
      const { busy } = this.#connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
      return busy === 0;
    } catch (error) {
      throw explain(error, this.#format);
    }
  }

  /** Writes the whole of it, as it is now, into an empty file that is a ledger of its own then. */
  copyTo(path: string): void {
    try {
      this.#connection.prepare('VACUUM INTO ?').run(path);
      const copy = openFile({ ...this.#format, path }, this.#format.busyTimeoutMs);
      copy.exec('PRAGMA journal_mode = WAL');
      copy.close();
    } catch (error) {
      throw explain(error, { ...this.#format, path });
    }
  }

  /** Replaces everything in the file in one step; others that have it open go on with what is new. */
  startOver(fill: (queries: Queries) => void): void {
    // Only possible between transactions, and without it no table could be dropped before another.
    this.set('foreign_keys = OFF');
    try {
      this.write((queries) => {
        const tables = queries.all<{ name: string }>(
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
        );
        for (const { name } of tables) this.#connection.exec(`DROP TABLE "${name}"`);
        this.#makeTables();
        fill(queries);
      });
    } finally {
      this.set('foreign_keys = ON');
    }
  }

  /** Closes it when nobody waits for `synced` any more. */
  async closeSynced(): Promise<void> {
    await this.#log.close();
    this.close();
  }

  /** Closing again does nothing. */
  close(): void {
    if (this.#connection.isOpen)
      closeFile(this.#connection, this.#format.path, this.#same?.isThere() ?? false);
  }

  #transact<Result>(begin: string, work: (queries: Queries) => Result): Result {
    try {
      this.#queries.run(begin);
      const result = work(this.#queries);
      this.#queries.run('COMMIT');
      return result;
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
      throw explain(error, this.#format);
    }
  }

  #begin(fill: Fill): void {
    const { path, settings } = this.#format;
    const isEmpty = this.read(() => this.#isEmpty());
    if (isEmpty && path !== IN_MEMORY) useWriteAheadLog(this.#connection);
    this.#connection.exec(settings);
    if (!isEmpty) return;
    this.#transact('BEGIN IMMEDIATE', (queries) => {
      // Another process may have been first.
      if (!this.#isEmpty()) return;
      this.#makeTables();
      fill(queries);
    });
  }

  /**
   * Looks at the kind of file, in a transaction: another process may change it meanwhile.
   * @returns whether there is nothing in it; else it is of this format
   */
  #isEmpty(): boolean {
    const { applicationId, form, refuse } = this.#format;
    const { version, application, tables } = this.#connection
      .prepare(
        `SELECT user_version AS version, application_id AS application,
                (SELECT count(*) FROM sqlite_schema) AS tables
           FROM pragma_user_version, pragma_application_id`,
      )
      .get();
    if (version === 0 && application === 0 && tables === 0) return true;
    if (application !== applicationId) throw refuse('foreign');
    if (version !== form) throw refuse(version > form ? 'newer' : 'older');
    return false;
  }

  #makeTables(): void {
    const { applicationId, tables, form } = this.#format;
    this.#connection.exec(
      `${tables}; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${form}`,
    );
  }
}
