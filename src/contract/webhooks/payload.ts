/**
 * The bodies of the six webhooks (interface section 6), for whoever sends one: the embedded gateway
 * when an event happens, and `gw trigger` as a sample.
 *
 *     charge:pending                {id, frequency, …, customer}
 *     charge:successful             {subscription: {…, customer}, response: envelope of the purchase}
 *     charge:retry, charge:failed   the same; `subscription` says its last_status, `successful` is false
 *     card:expiring, card:expired   {email, first_name, last_name, reference, id}
 */
import type { JsonObject } from '../../base/json.ts';
import { invariant } from '../../failure.ts';
import type { EventName } from './names.ts';

export interface EventCustomer {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  reference: string;
}

export interface EventSubscription {
  id: string;
  frequency: string;
  /** `YYYY-MM-DD`, as `end_date` is. */
  start_date: string;
  end_date: string | null;
  reference: string;
  last_status: string;
}

/** What an event is about; its name decides how much of it is shown. */
export interface Occasion {
  name: EventName;
  customer: EventCustomer;
  /** Of the `charge:` events. */
  subscription?: EventSubscription;
  /** The purchase's record, of the `charge:` events after `charge:pending`. */
  purchase?: JsonObject;
}

/** @param test the `test` of the envelope: true in the sandbox */
export function eventBody(occasion: Occasion, test: boolean): JsonObject {
  return { event: occasion.name, payload: [elementOf(occasion, test)] };
}

/**
 * A purchase that is declined while the customer waits is an answer that succeeded (section 3.1). A
 * charge that is declined is not: its envelope says what its record says.
 */
function elementOf(
  { name, customer: owner, subscription, purchase }: Occasion,
  test: boolean,
): JsonObject {
  const { email, first_name, last_name, reference, id } = owner;
  const customer = { email, first_name, last_name, reference, id };
  if (name === 'card:expiring' || name === 'card:expired') return customer;
  invariant(subscription, `${name} is about no subscription`);
  const fields = fieldsOf(subscription);
  if (name === 'charge:pending') return { ...fields, customer };
  const successful = name === 'charge:successful';
  invariant(purchase?.successful === successful, `the purchase of ${name} says otherwise`);
  const status = successful ? {} : { last_status: subscription.last_status };
  return {
    subscription: { ...fields, ...status, customer },
    response: { successful, response: purchase, errors: [], test },
  };
}

function fieldsOf({ id, frequency, start_date, end_date, reference }: EventSubscription) {
  return { id, frequency, start_date, end_date, reference };
}
