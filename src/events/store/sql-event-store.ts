/** Received events in a ledger: in a file, or on a server that a team shares. */
import { Batcher } from '../../base/batcher.ts';
import type { SqlStore } from '../../store/sql.ts';
import type { Appended, NewEvent, StoredEvent, Verification } from '../event.ts';
import { appending } from './append-events.ts';
import type {
  EventFilter,
  EventStore,
  ForwardLeases,
  ForwardResult,
  PrunedEvents,
  WaitingForward,
} from './event-store.ts';
import { settleForwards, waitingForwards } from './forwards.ts';
import { findById, pageOf, pruneEvents, removeEvents, verifyEvent } from './kept-events.ts';

/** What several machines need. */
export interface Shared {
  /** Name of this machine, which is kept with what it receives. */
  machine: string;
  leases: ForwardLeases;
}

const DURABLE = { isDurable: true };

export class SqlEventStore implements EventStore {
  readonly leases: ForwardLeases | undefined;
  readonly #store: SqlStore;
  readonly #machine: string | null;
  /** Results that are given while others are written go together. */
  readonly #settled: Batcher<readonly ForwardResult[], true>;

  /** @param shared absent where the ledger is that of one machine */
  constructor(store: SqlStore, shared?: Shared) {
    this.#store = store;
    this.#machine = shared?.machine ?? null;
    this.leases = shared?.leases;
    this.#settled = new Batcher({
      work: async (results) => {
        await store.write(() => settleForwards(results.flat()));
        return results.map(() => true as const);
      },
    });
  }

  async append(events: readonly NewEvent[]): Promise<Appended[]> {
    if (events.length === 0) return [];
    return this.#store.write(appending(events, this.#machine), DURABLE);
  }

  async *list(filter: EventFilter): AsyncGenerator<StoredEvent> {
    let below: number | undefined = Number.MAX_SAFE_INTEGER;
    for (let left = filter.limit; left > 0 && below !== undefined; ) {
      const from: number = below;
      const page = await this.#store.read(() => pageOf(filter, from, left));
      yield* page.events;
      left -= page.events.length;
      below = page.below;
    }
  }

  find(id: number): Promise<StoredEvent | undefined> {
    return this.#store.read(() => findById(id));
  }

  verify(id: number, verification: Verification): Promise<void> {
    return this.#store.write(() => verifyEvent(id, verification));
  }

  waiting(target: string): Promise<WaitingForward[]> {
    return this.#store.read(() => waitingForwards(target));
  }

  async settleForwards(results: readonly ForwardResult[]): Promise<void> {
    await this.#settled.do(results);
  }

  prune(before: string): Promise<PrunedEvents> {
    return this.#store.write(() => pruneEvents(before), DURABLE);
  }

  async forget(profile: string): Promise<void> {
    await this.#store.write(() => removeEvents('profile = :profile', { profile }), DURABLE);
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
