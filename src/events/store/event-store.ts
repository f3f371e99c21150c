/**
 * The ledger's memory of web hook deliveries (interface section 6). Like `Ledger`, this interface is
 * all that the rest of gw knows of it.
 *
 * A delivery becomes an event when its bytes are on disk. Nothing is ever taken away or merged: a
 * delivery that repeats an earlier one is an event of its own that says so (`duplicateOf`).
 *
 *   forward: waiting ──► done        (an event that was never meant to be passed on has none)
 *                   └──► withheld    (the gateway was asked, and does not confirm it)
 *
 * This folder has that memory, in the ledger's file, with a thread that reads and appends. Events are each machine's
 * own, also where a team shares a ledger on a server.
 */

import type { SearchScope } from '../../index/scope.ts';
import type { Appended, NewEvent, StoredEvent, Verification } from '../event.ts';

export interface EventFilter {
  /** Names with `*` for any text; an event has to fit one of them. None: all. */
  events?: readonly string[];
  /** ISO 8601, UTC: received at this time or later. */
  since?: string;
  /** ISO 8601, UTC: received before this time. */
  before?: string;
  reference?: string;
  /** Any of the names of `NewEvent.customers`, in lower case. */
  customer?: string;
  outcome?: string;
  /** Whose. */
  scope?: SearchScope | undefined;
  /** Only these events, by their numbers, and those that repeat one of them. */
  among?: readonly number[];
  limit: number;
}

export interface WaitingForward {
  id: number;
  source: string;
  attempts: number;
  /** What it was last known of its truth; null where nobody asked. */
  verification: Verification | null;
}

export interface ForwardResult {
  target: string;
  id: number;
  state: 'waiting' | 'done' | 'withheld';
  attempts: number;
  error: string | null;
}

export interface EventStore {
  /**
   * Keeps deliveries in the order given, all of them or none. Resolves when they are on disk.
   * @returns one entry for each, in the same order
   */
  append(events: readonly NewEvent[]): Promise<Appended[]>;
  /** Newest first; read page by page, so that a list of any length takes the same memory. */
  list(filter: EventFilter): AsyncIterable<StoredEvent>;
  find(id: number): Promise<StoredEvent | undefined>;
  verify(id: number, verification: Verification): Promise<void>;
  /** What is still to be passed on to an address, oldest first. */
  waiting(target: string): Promise<WaitingForward[]>;
  settleForwards(results: readonly ForwardResult[]): Promise<void>;
  /** Forgets events received before an instant (ISO 8601, UTC), but for those that wait to be passed on. */
  prune(before: string): Promise<PrunedEvents>;
  /** Forgets the events of a profile whose gateway has started over, but for those that wait to be passed on. */
  forget(profile: string): Promise<void>;
  close(): Promise<void>;
}

export interface PrunedEvents {
  events: number;
  /** Events of that age which stay because they wait to be passed on. */
  waiting: number;
}
