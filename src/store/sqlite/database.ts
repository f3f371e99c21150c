/**
 * A SQLite file that any number of gw processes use at once. Only this class creates, opens, reads and writes one. A
 * `FileFormat` says what the file contains.
 *
 * Everything runs inside a transaction. A read sees one snapshot and waits for nobody (write-ahead log). A write takes
 * the write lock first, so what it reads is still true when it commits. Others wait for it, at most `busyTimeoutMs`. An
 * error thrown inside undoes all of it. gw never writes to a file that is gone from its path (same-file.ts).
 *
 * A process may open a file for a single request, so opening one that is up to date takes one statement.
 *
 * This folder has all code that speaks to SQLite, except the SQL itself.
 */

import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Failure } from '../../failure.ts';
import { allRows, runSql } from '../sql.ts';
import { explain, type FileNaming } from './file-failure.ts';
import { LogSync } from './log-sync.ts';
import { closeFile, IN_MEMORY, openFile, useWriteAheadLog } from './open-file.ts';
import { Queries } from './queries.ts';
import { SameFile } from './same-file.ts';

/** Describes a kind of database file. */
export interface FileFormat extends FileNaming {
  /** Identifies the program in SQLite's header. */
  applicationId: number;
  /** SQL that creates the tables in an empty file. */
  tables: string;
  /** Version of the tables, in SQLite's `user_version`. It differs between versions of gw. */
  form: number;
  /** How long to wait while another process writes. */
  busyTimeoutMs: number;
  /** SQL that configures each connection. */
  settings: string;
  /** @returns the failure for a file that another program or another version of gw wrote */
  refuse(what: 'foreign' | 'newer' | 'older'): Failure;
}

/** Fills a new file, in the transaction that creates its tables. */
type Fill = (queries: Queries) => void;

export class Database {
  readonly #format: FileFormat;
  readonly #connection: DatabaseSyncInstance;
  readonly #queries: Queries;
  /** Made when somebody first waits for it: few processes do. */
  #log: LogSync | undefined;
  readonly #same: SameFile | undefined;

  /**
   * Opens a file. Creates it and its directories (0700) if missing.
   * @throws Failure usage if it is damaged or cannot be used; guard if it may exist twice (same-file.ts); the failure
   *   of `refuse` if it has another format
   */
  constructor(format: FileFormat, fill: Fill = () => undefined) {
    this.#format = format;
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

  /**
   * Runs `work`, which must not write, on one snapshot.
   * @throws what `work` throws; Failure usage if the file is damaged or cannot be used
   */
  read<Result>(work: (queries: Queries) => Result): Result {
    return this.#transact('BEGIN', work);
  }

  /**
   * Runs `work` in a transaction that excludes other writers. If `work` throws, nothing is kept.
   * @throws what `read` throws, and what `checkPlace` throws before anything is done
   */
  write<Result>(work: (queries: Queries) => Result): Result {
    this.checkPlace();
    return this.#transact('BEGIN IMMEDIATE', work);
  }

  /** @throws Failure guard if the open file was moved or replaced, so that its writes are elsewhere */
  checkPlace(): void {
    this.#same?.check();
  }

  /**
   * Sets whether a transaction waits for the disk when it commits. A caller that does not wait then may wait for
   * `synced` while others write.
   */
  waitForDisk(waits: boolean): void {
    this.set(`synchronous = ${waits ? 'FULL' : 'NORMAL'}`);
  }

  /**
   * Resolves when everything written so far is on disk.
   * @throws Failure usage if that is not certain, and what `checkPlace` throws
   */
  async synced(): Promise<void> {
    try {
      this.#log ??= new LogSync(this.#format);
      if (this.#format.path !== IN_MEMORY) await this.#log.sync();
    } finally {
      this.checkPlace();
    }
  }

  /** Changes a setting of the connection. Call it only between transactions. */
  set(pragma: string): void {
    this.#connection.exec(`PRAGMA ${pragma}`);
  }

  /**
   * Rewrites the file without deleted data, and empties its log. Other writers wait.
   * @returns false if a reader keeps the log from being emptied
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

  /** Copies the current contents into an empty file, which becomes a ledger of its own. */
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

  /** Replaces everything in the file in one step. Other processes that have it open continue with the new contents. */
  startOver(fill: (queries: Queries) => void): void {
    // This works only between transactions. Without it, tables could not be dropped in any order.
    this.set('foreign_keys = OFF');
    try {
      this.write((queries) => {
        const tables = queries.do(
          allRows<{ name: string }>(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
          ),
        );
        for (const { name } of tables) this.#connection.exec(`DROP TABLE "${name}"`);
        this.#makeTables();
        fill(queries);
      });
    } finally {
      this.set('foreign_keys = ON');
    }
  }

  /** Closes the file once nobody waits for `synced`. */
  async closeSynced(): Promise<void> {
    await this.#log?.close();
    this.close();
  }

  /** Closing twice does nothing. */
  close(): void {
    if (this.#connection.isOpen)
      closeFile(this.#connection, this.#format.path, this.#same?.isThere() ?? false);
  }

  #transact<Result>(begin: string, work: (queries: Queries) => Result): Result {
    try {
      this.#queries.do(runSql(begin));
      const result = work(this.#queries);
      this.#queries.do(runSql('COMMIT'));
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
      // Another process may have created the tables first.
      if (!this.#isEmpty()) return;
      this.#makeTables();
      fill(queries);
    });
  }

  /**
   * Checks the format of the file, inside a transaction because another process may change it.
   * @returns whether the file is empty; if not, it has this format
   * @throws the failure of `refuse` for another format
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
