/** Received events in the ledger's file of this user, whatever ledger is in use. */
import { Batcher } from '../../base/batcher.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { Database } from '../../store/sqlite/database.ts';
import { GroupWriter } from '../../store/sqlite/group-writer.ts';
import type { Appended, NewEvent, StoredEvent, Verification } from '../event.ts';
import { appendEvents } from './append-events.ts';
import type {
  EventFilter,
  EventStore,
  ForwardResult,
  PrunedEvents,
  WaitingForward,
} from './event-store.ts';
import { settleForwards, waitingForwards } from './forwards.ts';
import { findById, pageOf, pruneEvents, removeEvents, verifyEvent } from './kept-events.ts';

export class EventFile implements EventStore {
  /** One is written while the disk takes the one before. */
  readonly appendsAtOnce = 2;
  readonly #database: Database;
  readonly #writer: GroupWriter;
  /** Results that are given while others are written go together. */
  readonly #settled: Batcher<readonly ForwardResult[], true>;

  /**
   * Opens the file, which is made with its directories where there is none.
   * @param path file of the ledger
   * @throws Failure usage or guard when the file cannot be used
   */
  constructor(path: string) {
    this.#database = new Database(ledgerFile(path));
    // A stream of deliveries changes the same pages again and again, so they stay in memory. They are copied
    // from the log to the file in small lots, since everybody who is waiting for an answer waits for that, too.
    this.#database.set('cache_size = -65536');
    this.#database.set('wal_autocheckpoint = 500');
    // Written at once; who needs it to be on disk waits for that while the next is written.
    this.#writer = new GroupWriter(this.#database, () => Promise.resolve());
    this.#settled = new Batcher({
      work: async (results) => {
        await this.#writer.write((queries) => settleForwards(queries, results.flat()), false);
        return results.map(() => true as const);
      },
    });
  }

  async append(events: readonly NewEvent[]): Promise<Appended[]> {
    if (events.length === 0) return [];
    return this.#writer.write((queries) => appendEvents(queries, events), true);
  }

  async *list(filter: EventFilter): AsyncGenerator<StoredEvent> {
    let below: number | undefined = Number.MAX_SAFE_INTEGER;
    for (let left = filter.limit; left > 0 && below !== undefined; ) {
      const from: number = below;
      const page = this.#database.read((queries) => pageOf(queries, filter, { from, most: left }));
      yield* page.events;
      left -= page.events.length;
      below = page.below;
    }
  }

  async find(id: number): Promise<StoredEvent | undefined> {
    return this.#database.read((queries) => findById(queries, id));
  }

  verify(id: number, verification: Verification): Promise<void> {
    return this.#writer.write((queries) => verifyEvent(queries, id, verification), false);
  }

  async waiting(target: string): Promise<WaitingForward[]> {
    return this.#database.read((queries) => waitingForwards(queries, target));
  }

  async settleForwards(results: readonly ForwardResult[]): Promise<void> {
    await this.#settled.do(results);
  }

  prune(before: string): Promise<PrunedEvents> {
    return this.#writer.write((queries) => pruneEvents(queries, before), true);
  }

  async forget(profile: string): Promise<void> {
    await this.#writer.write(
      (queries) => removeEvents(queries, 'profile = :profile', { profile }),
      true,
    );
  }

  /** Closes it when what is queued is written. */
  async close(): Promise<void> {
    this.#writer.drain();
    await this.#database.closeSynced();
  }
}
