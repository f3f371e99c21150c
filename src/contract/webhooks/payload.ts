/**
 * Builds the bodies of the six webhooks (interface section 6). The test gateway sends them when an event happens,
 * and `gw trigger` sends samples.
 *
 *     charge:pending                {id, frequency, …, customer}
 *     charge:successful             {subscription: {…, customer}, response: envelope of the purchase}
 *     charge:retry, charge:failed   the same; `subscription` has its last_status, `successful` is false
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
  /** `YYYY-MM-DD`; so is `end_date`. */
  start_date: string;
  end_date: string | null;
  reference: string;
  last_status: string;
}

/** The subject of an event; the event's name decides how much of it is shown. */
export interface Occasion {
  name: EventName;
  customer: EventCustomer;
  /** Present in the `charge:` events. */
  subscription?: EventSubscription;
  /** The purchase's record, in the `charge:` events after `charge:pending`. */
  purchase?: JsonObject;
}

/** @param test the envelope's `test`: true in the sandbox */
export function eventBody(occasion: Occasion, test: boolean): JsonObject {
  return { event: occasion.name, payload: [elementOf(occasion, test)] };
}

/**
 * For a purchase made while the customer waits, a decline is a successful answer (section 3.1). For a recurring charge,
 * the envelope repeats the `successful` of the record.
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
