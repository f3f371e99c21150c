/**
 * Group commit: the writes of many requests in flight share one transaction, and one wait for the
 * disk, which is by far the most that a write costs; and nobody stands still meanwhile.
 *
 * A write is queued and done at the end of the turn of the event loop, when every answer that had
 * arrived by then has been handled and has queued its own. A durable one settles when the disk has
 * it (log-sync.ts), and other groups are written in between. Without a way to wait for the end of the
 * turn each write is a transaction of its own, done at once, that waits for the disk itself: what a
 * command with a single request needs.
 *
 * Only an intent must survive that the power fails right after. An outcome that is lost in this way
 * leaves an intent whose process is gone, which is unknown: safe, and not worth a wait for the disk.
 * A process that is killed loses nothing either way. And only then is it looked whether the file is still
 * where the next process looks for it.
 *
 * An error undoes the whole group and is the error of every write in it: it comes from the disk or
 * from a defect, and what was in the group was not written. A disk that fails afterwards fails the
 * durable ones: an intent that was written all the same is one that nobody acts on, and so unknown.
 *
 * Bounds: MAX_GROUP writes in a transaction, so that others get their turn.
 */
import type { Database } from './database.ts';
import type { Queries } from './queries.ts';

const MAX_GROUP = 256;

interface Task {
  isDurable: boolean;
  work: (queries: Queries) => unknown;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

export class GroupWriter {
  readonly #database: Database;
  readonly #endOfTurn: (() => Promise<void>) | undefined;
  #queue: Task[] = [];
  #isScheduled = false;
  #waits: boolean | undefined;

  constructor(database: Database, endOfTurn: (() => Promise<void>) | undefined) {
    this.#database = database;
    this.#endOfTurn = endOfTurn;
  }

  /**
   * @param work synchronous; may be undone
   * @param isDurable it must be on disk before this resolves
   * @returns what `work` returns, once it is committed
   */
  write<Result>(work: (queries: Queries) => Result, isDurable: boolean): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#queue.push({ isDurable, work, resolve: resolve as Task['resolve'], reject });
      if (!this.#endOfTurn) this.#flush();
      else if (!this.#isScheduled) {
        this.#isScheduled = true;
        void this.#endOfTurn().then(() => {
          this.#isScheduled = false;
          while (this.#queue.length > 0) this.#flush();
        });
      }
    });
  }

  /** Writes what is still queued. */
  drain(): void {
    while (this.#queue.length > 0) this.#flush();
  }

  #waitForDisk(waits: boolean): void {
    if (waits === this.#waits) return;
    this.#database.waitForDisk(waits);
    this.#waits = waits;
  }

  #flush(): void {
    const group = this.#queue.splice(0, MAX_GROUP);
    const isDurable = group.some((task) => task.isDurable);
    const waits = isDurable && !this.#endOfTurn;
    let results: unknown[];
    try {
      this.#waitForDisk(waits);
      results = this.#database.write((queries) => group.map(({ work }) => work(queries)));
      if (waits) this.#database.checkPlace();
    } catch (error) {
      for (const { reject } of group) reject(error);
      return;
    }
    const synced = isDurable && !waits && this.#database.synced();
    group.forEach(({ isDurable, resolve, reject }, i) => {
      if (synced && isDurable) synced.then(() => resolve(results[i]), reject);
      else resolve(results[i]);
    });
  }
}
