/**
 * Group commit: the writes of many requests in flight share one transaction and one wait for the disk. That wait is by
 * far the largest cost of a write, and it does not block the process.
 *
 * A write is queued until the disk is free, and then to the end of the turn of the event loop. By then, gw has handled
 * every answer that had arrived, and each has queued its own write. An intent loses nothing by the wait, because the
 * disk takes one group after the other anyway. A durable write settles once the disk has it (log-sync.ts). A command
 * with a single request passes no `endOfTurn`. Each write is then a transaction that runs at once and waits for the
 * disk.
 *
 * Only an intent must survive a power failure right after it. Losing an outcome leaves an intent whose process is gone.
 * The intent then reads as unknown, which is safe and not worth a wait for the disk. Killing the process loses nothing
 * that has settled. gw checks the place of the file only after a durable write, because only then does the next process
 * rely on it.
 *
 * An error undoes the whole group and rejects every write in it. It comes from the disk or from a defect, and nothing
 * in the group was written. If the disk fails afterwards, only the durable writes are rejected. Nobody acts on their
 * intents, so any that was written after all reads as unknown.
 *
 * Bound: MAX_GROUP writes per transaction, so that others get their turn.
 *
 * Tests: test/unit/store/sqlite/database.test.ts, test/unit/events/store/event-file.test.ts
 */
import type { Durability } from '../sql.ts';
import type { Database } from './database.ts';
import type { Queries } from './queries.ts';

const MAX_GROUP = 256;

interface Task<At> {
  isDurable: boolean;
  work: (at: At) => unknown;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** `At` is what a transaction gives to each write in it. */
export class GroupWriter<At> {
  readonly #database: Database;
  readonly #endOfTurn: (() => Promise<void>) | undefined;
  readonly #begin: (queries: Queries) => At;
  #queue: Task<At>[] = [];
  /** The groups being written, one after the other; undefined if nothing waits. */
  #running: Promise<void> | undefined;
  #waits: boolean | undefined;

  /** @param begin called at the beginning of each transaction */
  constructor(
    database: Database,
    endOfTurn: (() => Promise<void>) | undefined,
    begin: (queries: Queries) => At,
  ) {
    this.#database = database;
    this.#endOfTurn = endOfTurn;
    this.#begin = begin;
  }

  /**
   * @param work synchronous; may be undone
   * @returns the result of `work`, once it is committed
   */
  write<Result>(work: (at: At) => Result, { isDurable = false }: Durability = {}): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#queue.push({ isDurable, work, resolve: resolve as Task<At>['resolve'], reject });
      if (this.#endOfTurn) this.#running ??= this.#run(this.#endOfTurn);
      else void this.#flush();
    });
  }

  /** Resolves once everything in the queue is written. */
  async drain(): Promise<void> {
    await this.#running;
  }

  async #run(endOfTurn: () => Promise<void>): Promise<void> {
    while (this.#queue.length > 0) {
      await endOfTurn();
      await this.#flush();
    }
    // In the turn in which the queue was found empty.
    this.#running = undefined;
  }

  #waitForDisk(waits: boolean): void {
    if (waits === this.#waits) return;
    this.#database.waitForDisk(waits);
    this.#waits = waits;
  }

  /** @returns a promise that resolves when the disk is free again; undefined if nothing waits for it */
  #flush(): Promise<void> | undefined {
    const group = this.#queue.splice(0, MAX_GROUP);
    const isDurable = group.some((task) => task.isDurable);
    const waits = isDurable && !this.#endOfTurn;
    let results: unknown[];
    // Those that have settled stay so.
    const rejectAll = (error: unknown) => {
      for (const { reject } of group) reject(error);
    };
    try {
      this.#waitForDisk(waits);
      results = this.#database.write((queries) => {
        const at = this.#begin(queries);
        return group.map(({ work }) => work(at));
      });
      if (waits) this.#database.checkPlace();
    } catch (error) {
      rejectAll(error);
      return undefined;
    }
    const synced = isDurable && !waits ? this.#database.synced() : undefined;
    const resolveIf = (isReady: (task: Task<At>) => boolean) => {
      for (const [i, task] of group.entries()) if (isReady(task)) task.resolve(results[i]);
    };
    resolveIf((task) => !synced || !task.isDurable);
    return synced?.then(() => resolveIf((task) => task.isDurable), rejectAll);
  }
}
