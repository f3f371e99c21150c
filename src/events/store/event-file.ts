/**
 * The store of webhook deliveries (interface section 6): tables in this user's ledger file. Each machine keeps its own
 * events, even if a team shares a ledger on a server.
 *
 * A delivery becomes an event when its bytes are on disk. Events are never merged or dropped: a delivery that repeats
 * an earlier one is an event of its own that says so (`duplicateOf`).
 */
import { Failure, usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { ledgerPath } from '../../store/paths.ts';
import { Database } from '../../store/sqlite/database.ts';
import { GroupWriter } from '../../store/sqlite/group-writer.ts';
import type { Queries } from '../../store/sqlite/queries.ts';
import type { AppendResult, ForwardState, NewEvent, StoredEvent, Verification } from '../event.ts';
import {
  appendEvent,
  type ForwardResult,
  forwardsIn,
  forwardTargets,
  settleForward,
  type WaitingForward,
  waitingForwards,
} from './append-events.ts';
import {
  countOlderEvents,
  type EventFilter,
  eventsBelow,
  findById,
  findByIds,
  forgetEvents,
  isAbout,
  markVerified,
  type OlderEvents,
  pruneEvents,
} from './kept-events.ts';
import { Repeats } from './repeats.ts';

/** The rows that are read at once; a body may have 1 MiB. */
const PAGE_ROWS = 64;

/** The stored events, as the rest of gw knows them. */
export type EventStore = Pick<EventFile, keyof EventFile>;

export class EventFile {
  readonly #database: Database;
  readonly #writer: GroupWriter<Queries>;
  readonly #repeats = new Repeats();

  /**
   * Opens the file, and creates it with its directories if it is missing.
   * @param path file of the ledger
   * @param endOfTurn given by a listener: all writes of one turn of the event loop are then one transaction. While the
   *   disk writes it, the next turn is read and written
   * @throws Failure usage or guard if the file cannot be used
   */
  constructor(path: string, endOfTurn?: () => Promise<void>) {
    this.#database = new Database(ledgerFile(path));
    this.#writer = new GroupWriter(this.#database, endOfTurn, (queries) => {
      this.#repeats.begin(queries);
      return queries;
    });
  }

  /** Keeps a delivery. Resolves when it is on disk. */
  append(event: NewEvent): Promise<AppendResult> {
    return this.#writer.write((queries) => appendEvent(queries, this.#repeats, event), {
      isDurable: true,
    });
  }

  /** Newest first. Events are read page by page, so a list of any length takes the same memory. */
  async *list(filter: EventFilter): AsyncGenerator<StoredEvent> {
    let below = Number.MAX_SAFE_INTEGER;
    for (let left = filter.limit; left > 0; ) {
      const page = this.#database.read((queries) =>
        eventsBelow(queries, below, { ...filter, limit: PAGE_ROWS }),
      );
      for (const event of page.filter((event) => isAbout(event, filter)).slice(0, left)) {
        yield event;
        left--;
      }
      if (page.length < PAGE_ROWS) return;
      below = page.at(-1)?.id ?? below;
    }
  }

  async find(id: number): Promise<StoredEvent | undefined> {
    return this.#database.read((queries) => findById(queries, id));
  }

  /** @returns those of the events that are there, in order */
  async findAll(ids: readonly number[]): Promise<StoredEvent[]> {
    return this.#database.read((queries) => findByIds(queries, ids));
  }

  /** Keeps the gateway's answer about an event. @returns the id of the event that it repeats; null if there is none */
  verify(id: number, verification: Verification): Promise<number | null> {
    const mark = (queries: Queries) => markVerified(queries, this.#repeats, id, verification);
    return this.#writer.write(mark);
  }

  /** @returns the deliveries that wait for an address, oldest first */
  async waiting(target: string): Promise<WaitingForward[]> {
    return this.#database.read((queries) => waitingForwards(queries, target));
  }

  /** @returns the addresses that a user gave `gw listen --forward-to` for events of the profile */
  async targets(profile: string): Promise<string[]> {
    return this.#database.read((queries) => forwardTargets(queries, profile));
  }

  /** @returns the events in a state of passing on, each with the last reason; null if it has none */
  async forwardsIn(state: ForwardState): Promise<Map<number, string | null>> {
    return this.#database.read((queries) => forwardsIn(queries, state));
  }

  settleForward(result: ForwardResult): Promise<void> {
    return this.#writer.write((queries) => settleForward(queries, result));
  }

  /** Counts the events received before an instant (ISO 8601, UTC). */
  async older(before: string): Promise<OlderEvents> {
    return this.#database.read((queries) => countOlderEvents(queries, before));
  }

  /**
   * Deletes some events received before an instant, the oldest first, except those that wait to be passed on.
   * @returns how many; 0 if none is left
   */
  prune(before: string): Promise<number> {
    return this.#writer.write((queries) => pruneEvents(queries, before), {
      isDurable: true,
    });
  }

  /**
   * Deletes the events of a profile whose gateway has started over.
   * @returns how many of them waited to be passed on
   */
  forget(profile: string): Promise<number> {
    return this.#writer.write((queries) => forgetEvents(queries, profile), {
      isDurable: true,
    });
  }

  /** Closes the store after everything in the queue is written. */
  async close(): Promise<void> {
    await this.#writer.drain();
    await this.#database.closeSynced();
  }
}

/** Opens the file of this user. */
export function openEvents({ files }: Pick<Host, 'files'>, endOfTurn?: Host['endOfTurn']) {
  return new EventFile(ledgerPath(files), endOfTurn);
}

/** @throws Failure usage if the text is not an event id, notFound if there is no such event */
export async function findEvent(store: Pick<EventFile, 'find'>, id: string): Promise<StoredEvent> {
  const number = /^#?([1-9]\d{0,14})$/.exec(id)?.[1];
  if (number === undefined) {
    throw usage(
      'event-id-invalid',
      `${JSON.stringify(id)} is not an event id.`,
      'Event ids are numbers. Run `gw events list` to see them.',
    );
  }
  const event = await store.find(Number(number));
  if (event) return event;
  throw new Failure(
    'event-not-found',
    `No event has the id ${number}.`,
    'Run `gw events list` to see the events received here.',
  );
}
