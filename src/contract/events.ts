/** Web hook deliveries (section 6): `{event, payload: [...]}` with `X-Service-Mode: Live|Sandbox`. */
import * as z from 'zod/mini';
import { flagOut, record, textOut } from './fields.ts';
import { lazily } from './lazily.ts';
import { purchaseRecord } from './purchase.ts';

export const SERVICE_MODE_HEADER = 'X-Service-Mode';

const eventCustomer = lazily(() =>
  record({
    id: textOut(),
    email: textOut(),
    first_name: textOut(),
    last_name: textOut(),
    reference: textOut(),
  }),
);

const eventSubscription = lazily(() =>
  record({
    id: textOut(),
    frequency: textOut(),
    start_date: textOut(),
    end_date: textOut(),
    reference: textOut(),
    last_status: textOut(),
    customer: z.nullish(eventCustomer()),
  }),
);

const charge = lazily(() =>
  record({
    subscription: z.nullish(eventSubscription()),
    response: z.nullish(
      record({
        successful: flagOut(),
        response: z.nullish(purchaseRecord()),
        errors: z.nullish(z.union([z.array(z.string()), z.string()])),
        test: flagOut(),
      }),
    ),
  }),
);

/** What an element of `payload` looks like, by event. Deployments send other events too. */
export const EVENT_PAYLOADS = {
  'charge:pending': eventSubscription,
  'charge:successful': charge,
  'charge:retry': charge,
  'charge:failed': charge,
  'card:expiring': eventCustomer,
  'card:expired': eventCustomer,
} as const;

export type EventName = keyof typeof EVENT_PAYLOADS;
