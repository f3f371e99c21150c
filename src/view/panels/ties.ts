/**
 * The parts of a panel beside its record: records that belong to it, and what happened to all of them.
 *
 * Tests: test/unit/desk/history/timeline.test.ts
 */
import type { JsonObject } from '../../base/json.ts';
import type { RecordKind } from '../../contract/record.ts';
import type { StopCause } from '../../things/subscription-state.ts';
import type { Thing, ThingOutcome } from '../../things/thing.ts';
import type { Counts } from '../../things/what-counts.ts';

export interface CurrencySums {
  /** ISO 4217 code; null if it is unknown. */
  currency: string | null;
  paid: CountedSum;
  refunded: CountedSum;
  /** Charges that were declined, and that no later try paid. */
  unpaid: UnpaidSum;
  /** Refunds that were declined. */
  notRefunded: CountedSum;
  /** Requests whose outcome is unknown. */
  unknown: CountedSum;
  /** Payments of which only unverified webhooks tell. */
  heard: CountedSum;
}

/** A record in the state in which it is known. */
export interface SeenRecord {
  kind: RecordKind;
  /** The id; a subscription has its reference here, if that is known. */
  id: string;
  record: JsonObject;
  /**
   * The time when it was last seen: ISO 8601, UTC. Null for a record that was never seen, and is known by its id alone.
   */
  seenAt: string | null;
  /** The currency of a plan as it was listed: a look-up does not name it (section 2.5). */
  currency?: string | null | undefined;
  /** The plan of a subscription, as far as it is known. */
  plan?: SeenRecord | undefined;
  /** Why a subscription was stopped, if gw knows. */
  stopCause?: StopCause | undefined;
}

export interface ShownTies {
  purchase: SeenRecord | null;
  customer: SeenRecord | null;
  plan: SeenRecord | null;
  /** A purchase has at most one; a customer or a plan has all of theirs. */
  subscriptions: SeenRecord[];
  /** With those that are left out of `subscriptions`, since there are too many. */
  subscriptionCount: number;
  /** The card's fields of its latest purchase, or of the card itself. */
  card: SeenRecord | null;
  /** The history, oldest first. */
  items: Item[];
  sums: CurrencySums[];
  /** Why a subscription was stopped, if gw knows; a record of another kind has none. */
  stopCause: StopCause | undefined;
  isCut: boolean;
}

export interface CountedSum {
  count: number;
  /** Minor units, never below zero. */
  amount: number;
}

/** Its count is that of the charges, each of which may have been tried several times. */
export interface UnpaidSum extends CountedSum {
  tries: number;
  /** References, or else ids, of later sales that may have paid it (`salesSince`); left out if there are none. */
  paidSince?: readonly string[];
}

/** An item of a timeline: something that happened, with the fields of its thing, and the sources that say so. */
export interface Item extends Omit<Thing, 'kind' | 'id' | 'told' | 'sources'> {
  what: ItemKind;
  /**
   * For money: `approved`, `declined`, `unclear`, `unknown` (it may have happened), or the state of a request that did
   * not succeed. Otherwise the thing's outcome.
   */
  outcome: ThingOutcome | null;
  /** The id of the record; null if there is none. */
  id: string | null;
  /** The number of the retry, from 1; 0 if the charge is no retry. */
  retry: number;
  /** true if money moved, or was to move. */
  isMoney: boolean;
  isRefund: boolean;
  /** The sum that the item counts in; undefined if it counts in none. */
  counts: Counts | undefined;
  /** true if only unverified webhooks tell of it. */
  hearsay: boolean;
  sources: Source[];
}

/** A source of an item: a record as last seen, an entry of the journal, an event. */
export interface Source {
  kind: 'record' | 'request' | 'event';
  id: string;
}

export type ItemKind =
  | 'purchase'
  | 'charge'
  | 'retry'
  | 'refund'
  | 'announced'
  | 'card'
  | 'card-expiring'
  | 'card-expired'
  | 'customer'
  | 'subscription'
  | 'end'
  | 'plan'
  | 'request'
  | 'deed'
  | 'event';
