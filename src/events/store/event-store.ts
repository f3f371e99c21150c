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
 * This folder has that memory: in SQLite, with a thread that reads and appends, and on a server that a team shares.
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
  /** How several listeners share what is to be passed on; absent where one process passes on all. */
  readonly leases?: ForwardLeases | undefined;
  close(): Promise<void>;
}

export interface ForwardClaim {
  target: string;
  /** Events to take, at the most. */
  limit: number;
  /** Whether events are passed on that the gateway has not confirmed yet. */
  isConfirming: boolean;
  /** Sources that are being passed on from here, of which nothing more is taken now. */
  held: readonly string[];
  /** Sources of which nothing is passed on from here any more, and that others may take. */
  ended: readonly string[];
}

/**
 * Who passes on the events of a source. A listener takes sources for a while and takes them anew as
 * long as it lives; what one has taken that is gone, others take after that while.
 */
export interface ForwardLeases {
  /** How long a source is one's own after `claim` or `renew` was called, in milliseconds. */
  readonly heldMs: number;
  /** @returns events that wait, oldest first, of sources that nobody else is passing on */
  claim(claim: ForwardClaim): Promise<WaitingForward[]>;
  /** @returns whether all of the sources are still one's own */
  renew(target: string, held: readonly string[]): Promise<boolean>;
}

export interface PrunedEvents {
  events: number;
  /** Events of that age which stay because they wait to be passed on. */
  waiting: number;
}
