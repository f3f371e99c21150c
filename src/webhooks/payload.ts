/** The bodies of web hooks: `{event, payload: [...]}`, with payloads as section 6 has them. */
import type { JsonObject } from '../../base/json.ts';
import type { EventName } from '../../contract/webhook-events.ts';

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

/** @param test the envelope's `test` @returns the JSON text that is delivered */
export function eventBody(occasion: Occasion, test: boolean): string {
  return JSON.stringify({ event: occasion.name, payload: [payloadOf(occasion, test)] });
}

function payloadOf(
  { name, customer, subscription, purchase }: Occasion,
  test: boolean,
): JsonObject {
  const shown = customerObject(customer);
  if (!subscription) return shown;
  const { id, frequency, start_date, end_date, reference, last_status } = subscription;
  const fields: JsonObject = { id, frequency, start_date, end_date, reference };
  if (name === 'charge:retry' || name === 'charge:failed') fields.last_status = last_status;
  fields.customer = shown;
  if (!purchase) return fields;
  // As in the answer to a purchase, a decline is successful at this level and not below (section 3.1).
  return {
    subscription: fields,
    response: { successful: true, response: purchase, errors: [], test },
  };
}

function customerObject({
  email,
  first_name,
  last_name,
  reference,
  id,
}: EventCustomer): JsonObject {
  return { email, first_name, last_name, reference, id };
}
