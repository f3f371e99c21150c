/** What an object of a delivery's payload is about (the table of interface section 6), read liberally. */
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { normalRecord, recordsOf } from '../../contract/normal.ts';
import { EVENT_NAMES, type EventName } from '../../contract/webhooks/names.ts';

export interface Parts {
  subscription: JsonObject | null;
  customer: JsonObject | null;
  /** The envelope that a charge was answered with. */
  response: JsonObject | null;
  /** The purchase of a charge, in normal form. */
  purchase: JsonObject | null;
}

export const NO_PARTS: Parts = {
  subscription: null,
  customer: null,
  response: null,
  purchase: null,
};

/** A subscription beside its charge, a subscription itself, or a customer; of a few fields the event decides. */
export function partsOf(event: string, element: JsonObject): Parts {
  const inner = element.subscription;
  const isPerson = 'email' in element || 'first_name' in element;
  const isPending = event === 'charge:pending' && !isPerson;
  const isSubscription = 'frequency' in element || 'customer' in element || isPending;
  const subscription = isObject(inner) ? inner : isSubscription ? element : null;
  const named = [subscription?.customer, element.customer].find(isObject);
  const isCustomer = subscription === null && (isPerson || event.startsWith('card:'));
  const response = isObject(element.response) ? element.response : null;
  const [purchase] = recordsOf(response?.response);
  return {
    subscription,
    customer: named ?? (isCustomer ? element : null),
    response,
    purchase: purchase ? normalRecord('purchase', purchase) : null,
  };
}

/** @returns the event as one of the six; undefined for any other */
export function knownEvent(name: string): EventName | undefined {
  return EVENT_NAMES.find((known) => known === name);
}

/** @returns those of the values that are texts and say something */
export function texts(...values: readonly (Json | undefined)[]): string[] {
  const found: string[] = [];
  for (const value of values) if (typeof value === 'string' && value !== '') found.push(value);
  return found;
}
