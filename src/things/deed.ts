/** Changes that people made with gw: they stopped a subscription, changed an email, deleted a customer. */
import type { JsonObject } from '../base/json.ts';
import type { Operation } from '../contract/operation.ts';
import { customerDelete } from '../contract/resources/customer.ts';
import { subscriptionUpdate } from '../contract/resources/subscription.ts';

export interface Deed {
  /** ISO 8601, UTC. */
  at: string;
  what: 'created' | 'changed' | 'moving' | 'stopped' | 'resumed' | 'deleted' | 'erased';
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
}

/** The part of a customer's card that was sent. The gateway shows an expiry only with the next charge. */
export interface SentCard {
  /** When the gateway answered, by the clock by which it dates charges: ISO 8601, UTC. */
  since: string;
  /** Fields as in a purchase, masked, with the token in the answer. Without a number, the stored card was changed. */
  record: JsonObject;
}

/**
 * @param body as it was sent; only its names are kept, and whether it stops or resumes a subscription
 * @returns undefined for a look-up, and for a purchase or refund: its entry in the journal says the same
 */
export function deedOf(
  operation: Operation,
  body: JsonObject,
): Pick<Deed, 'what' | 'fields'> | undefined {
  const { effect, kind } = operation;
  if (effect === 'read' || kind === 'purchase' || kind === 'refund') return undefined;
  return { what: whatOf(operation, body), fields: fieldsOf(body) };
}

/** The parts of a card are one field, whose names say nothing more. */
function fieldsOf(body: JsonObject): string[] {
  const isOfCard = (name: string) => name === 'cvv' || /^card_(?:number|holder|expiry)$/.test(name);
  return [...new Set(Object.keys(body).map((name) => (isOfCard(name) ? 'card' : name)))];
}

function whatOf(operation: Operation, body: JsonObject): Deed['what'] {
  if (operation.name === customerDelete.name) return 'deleted';
  if (operation.name === subscriptionUpdate.name && typeof body.is_active === 'boolean')
    return body.is_active ? 'resumed' : 'stopped';
  return operation.method === 'POST' ? 'created' : 'changed';
}
