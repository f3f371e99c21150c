/**
 * What one of the six events cannot do without (interface section 6). Where it is missing the
 * delivery is a bad one: an outcome in words would claim what its payload does not say.
 *
 *   charge:pending              a subscription
 *   charge:successful           a subscription, and a response with a purchase
 *   charge:retry, charge:failed a subscription, and a response; what failed may have made no purchase
 *   card:expiring, card:expired a customer, or else the card
 *
 * One object does for a list of one. All else may be missing, as in any record.
 */
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { EventName } from '../../contract/webhooks/names.ts';
import type { Parts } from './delivery-parts.ts';

/** @param parts of the payload's objects. @returns why the delivery is bad, in a few words */
export function payloadFault(
  event: EventName,
  payload: Json,
  parts: readonly Parts[],
): string | undefined {
  const elements = Array.isArray(payload) ? payload : [payload];
  if (payload === null || elements.length === 0) return 'the payload is empty';
  if (!elements.every(isObject)) return 'the payload contains something that is not an object';
  return parts.map((one) => faultOf(event, one)).find((fault) => fault !== undefined);
}

const SUBSCRIPTION_NAMES = ['id', 'reference'];
const CARD_NAMES = ['token', 'card_token', 'card_number', 'card_holder'];
const CUSTOMER_NAMES = ['id', 'reference', 'email', 'first_name', 'last_name', ...CARD_NAMES];

function faultOf(event: EventName, parts: Parts): string | undefined {
  const { subscription, customer, response, purchase } = parts;
  if (event === 'card:expiring' || event === 'card:expired') {
    return isNamed(customer, CUSTOMER_NAMES) ? undefined : 'it does not name a customer';
  }
  if (!isNamed(subscription, SUBSCRIPTION_NAMES)) return 'it does not name a subscription';
  if (event === 'charge:pending') return undefined;
  if (!response) return 'it has no response for the charge';
  return event === 'charge:successful' && !purchase ? 'its response has no purchase' : undefined;
}

function isNamed(record: JsonObject | null, names: readonly string[]): boolean {
  return names.some((name) => {
    const value = record?.[name];
    return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
  });
}
