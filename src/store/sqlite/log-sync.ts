/**
 * Waits for the disk without standing still. A transaction that is committed with `synchronous = NORMAL`
 * is in SQLite's write-ahead log, for every process to see, but the log may still be in the system's
 * memory. Here the log is told to the disk (fdatasync, off this thread) while the next transactions are
 * written to it; who needs theirs to survive that the power fails waits for that.
 *
 *   COMMIT a ──► sync 1 ─────────► a is on disk
 *       COMMIT b, COMMIT c ──► sync 2 ─────────► b and c are on disk
 *
 * This is the call that SQLite makes itself with `synchronous = FULL`, at the end of a COMMIT. When the log is
 * copied to the database and begun again, SQLite tells both to the disk first, whatever the setting.
 *
 * A sync that failed may have lost what it was to keep, and a later one would not say so: from then on
 * all fail.
 */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { explainSync, type FileNaming } from './file-failure.ts';
import { logOf } from './same-file.ts';

export class LogSync {
  readonly #naming: FileNaming;
  #file: number | undefined;
  #running: Promise<void> = Promise.resolve();
  /** The one after it, which nobody has begun yet. */
  #next: Promise<void> | undefined;

  constructor(naming: FileNaming) {
    this.#naming = naming;
  }

  /**
   * Resolves when all that has been committed by now is on disk.
   * @throws Failure usage when that cannot be said
   */
  sync(): Promise<void> {
    if (!this.#next) {
      const next = this.#running.then(() => {
        this.#next = undefined;
        return this.#sync();
      });
      this.#next = next;
      this.#running = next;
    }
    return this.#next;
  }

  /** Resolves when no sync is under way. */
  async close(): Promise<void> {
    await this.#running.catch(() => undefined);
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      const failed = (error: unknown) => reject(explainSync(error, this.#naming));
      try {
        // Only a closed database's log is removed, so this is the one that is written.
        this.#file ??= openSync(logOf(this.#naming.path), 'r+');
      } catch (error) {
        failed(error);
        return;
      }
      fdatasync(this.#file, (error) => (error ? failed(error) : resolve()));
    });
  }
}
