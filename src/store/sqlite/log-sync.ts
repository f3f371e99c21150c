/**
 * Waits for the disk without blocking the process. A transaction committed with `synchronous = NORMAL` is in SQLite's
 * write-ahead log, where every process sees it. But the log may still be in the system's memory. This class syncs the
 * log (fdatasync, off this thread) while the process goes on. A caller whose write must survive a power failure waits
 * for that.
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

  constructor(naming: FileNaming) {
    this.#naming = naming;
  }

  /**
   * Resolves when everything committed so far is on disk.
   * @throws Failure usage if that is not certain
   */
  sync(): Promise<void> {
    this.#running = this.#running.then(() => this.#sync());
    return this.#running;
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
