/** Schemas of the elements in a webhook's `payload` (interface section 6). */
import * as z from 'zod/mini';
import { recordSchema } from './field-schemas.ts';
import type { RecordFields } from './record.ts';
import { purchaseRecord } from './resources/purchase.ts';
import type { EventName } from './webhooks/names.ts';

const customer = {
  id: 'text',
  email: 'text',
  first_name: 'text',
  last_name: 'text',
  reference: 'text',
} as const satisfies RecordFields;

const subscription = {
  id: 'text',
  frequency: 'text',
  start_date: 'text',
  end_date: 'text',
  reference: 'text',
  last_status: 'text',
  customer,
} as const satisfies RecordFields;

const eventCustomer = recordSchema(customer);
const eventSubscription = recordSchema(subscription);
const charge = z.looseObject({
  subscription: z.nullish(eventSubscription),
  response: z.nullish(
    z.looseObject({
      successful: z.nullish(z.boolean()),
      response: z.nullish(recordSchema(purchaseRecord)),
      errors: z.nullish(z.union([z.array(z.string()), z.string()])),
      test: z.nullish(z.boolean()),
    }),
  ),
});

/** The schema of a payload element, by event. */
export const EVENT_PAYLOADS = {
  'charge:pending': eventSubscription,
  'charge:successful': charge,
  'charge:retry': charge,
  'charge:failed': charge,
  'card:expiring': eventCustomer,
  'card:expired': eventCustomer,
} as const satisfies Record<EventName, unknown>;
