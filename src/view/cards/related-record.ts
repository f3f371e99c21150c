/** The records that a card shows beside its own. */
import type { JsonObject } from '../../base/json.ts';
import type { RecordKind } from '../../contract/record-id.ts';
import type { Item } from './timeline-item.ts';

export interface CurrencySums {
  /** ISO 4217 code; null if it is unknown. */
  currency: string | null;
  paid: CountedSum;
  refunded: CountedSum;
  declined: CountedSum;
  /** Requests whose outcome is unknown. */
  unknown: CountedSum;
}

/** A record in the state in which it is known. */
export interface Seen {
  kind: RecordKind;
  /** The id; a subscription has its reference here, if that is known. */
  id: string;
  record: JsonObject;
  /**
   * The time when it was last seen: ISO 8601, UTC. Null for a record that was never seen, and is known by its id alone.
   */
  seenAt: string | null;
}

export interface ShownTies {
  purchase: Seen | null;
  customer: Seen | null;
  plan: Seen | null;
  /** A purchase has at most one; a customer or a plan has all of theirs. */
  subscriptions: Seen[];
  /** The card's fields of its latest purchase, or of the card itself. */
  card: Seen | null;
  /** The history, oldest first. */
  items: Item[];
  sums: CurrencySums[];
  isCut: boolean;
}

export interface CountedSum {
  count: number;
  /** Minor units, never below zero. */
  amount: number;
}
