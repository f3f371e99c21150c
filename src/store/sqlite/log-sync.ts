/**
 * Waits for the disk without blocking the process. A transaction committed with `synchronous = NORMAL` is in SQLite's
 * write-ahead log, where every process sees it. But the log may still be in the system's memory. This class syncs the
 * log (fdatasync, off this thread) while the next transactions are written to it. A caller whose write must survive a
 * power failure waits for that.
 *
 *   COMMIT a ──► sync 1 ─────────► a is on disk
 *       COMMIT b, COMMIT c ──► sync 2 ─────────► b and c are on disk
 *
 * With `synchronous = FULL`, SQLite makes the same call at the end of COMMIT. When SQLite copies the log to the
 * database and restarts it, it syncs both first, whatever the setting.
 *
 * A failed sync may have lost data, and a later sync would not report it. So after one failure, all syncs fail.
 */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { explainSync, type FileNaming } from './file-failure.ts';
import { logOf } from './same-file.ts';

export class LogSync {
  readonly #naming: FileNaming;
  #file: number | undefined;
  #running: Promise<void> = Promise.resolve();
  /** The sync after the running one, not yet begun. */
  #next: Promise<void> | undefined;

  constructor(naming: FileNaming) {
    this.#naming = naming;
  }

  /**
   * Resolves when everything committed so far is on disk.
   * @throws Failure usage if that is not certain
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

  /** Closes the log once no sync is running. */
  async close(): Promise<void> {
    await this.#running.catch(() => undefined);
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      const failed = (error: unknown) => reject(explainSync(error, this.#naming));
      try {
        // SQLite removes a log only when its database is closed, so this is the log being written.
        this.#file ??= openSync(logOf(this.#naming.path), 'r+');
      } catch (error) {
        failed(error);
        return;
      }
      fdatasync(this.#file, (error) => (error ? failed(error) : resolve()));
    });
  }
}
