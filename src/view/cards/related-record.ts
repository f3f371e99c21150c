/** What a card shows of the records that belong to its own. */
import type { JsonObject } from '../../base/json.ts';
import type { RecordKind } from '../../contract/record-id.ts';
import type { Item } from './timeline-item.ts';

export interface CurrencySums {
  /** ISO 4217; null where it is not known. */
  currency: string | null;
  paid: CountedSum;
  refunded: CountedSum;
  /** What was paid less what was refunded, in minor units. */
  net: number;
  declined: CountedSum;
  /** What may have happened: its outcome is not known. */
  unknown: CountedSum;
}

/** A record as it is known. */
export interface Seen {
  kind: RecordKind;
  /** Of a subscription its reference, where that is known. */
  id: string;
  record: JsonObject;
  /** When it was seen last: ISO 8601, UTC. Null for what was never seen, and is known by its id alone. */
  seenAt: string | null;
}

export interface Ties {
  purchase: Seen | null;
  customer: Seen | null;
  plan: Seen | null;
  /** Of a purchase its one; of a customer or a plan all of them. */
  subscriptions: Seen[];
  /** The card's fields of the latest purchase with it, or of the card itself. */
  card: Seen | null;
  /** What happened, oldest first. */
  items: Item[];
  sums: CurrencySums[];
  isCut: boolean;
}

export interface CountedSum {
  count: number;
  /** Minor units, never below zero. */
  amount: number;
}
