/**
 * Changes that people made with gw: they stopped a subscription, changed an email, deleted a customer. An answer that shows
 * a customer with another card is one too (`renewed`), whoever changed it.
 */
import type { JsonObject } from '../base/json.ts';

export interface Deed {
  /** ISO 8601, UTC. */
  at: string;
  /** The same by the clock of the test gateway, whose charges have its dates; no other gateway has a clock of its own. */
  dated?: string;
  what: 'created' | 'changed' | 'moving' | 'stopped' | 'resumed' | 'deleted' | 'erased' | 'renewed';
  /** A move notes the reference of the subscription that is to take the place of this one. */
  to?: string;
  /** The fields that were sent, by their names in the interface. */
  fields: readonly string[];
  operator: string;
  /** Why, in the operator's words. */
  note: string | null;
  card?: SentCard | undefined;
  /** The last four digits of a customer's card that was replaced; null if they are unknown. */
  replaced?: string | null;
  /** The token of the card that a customer had before; only `renewed` has it. */
  formerToken?: string;
}

/** The part of a customer's card that was sent. The gateway shows an expiry only with the next charge. */
export interface SentCard {
  /** When the gateway answered, by the clock by which it dates charges: ISO 8601, UTC. */
  since: string;
  /** Fields as in a purchase, masked, with the token in the answer. Without a number, the stored card was changed. */
  record: JsonObject;
}
