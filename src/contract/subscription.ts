/** Subscriptions (section 2.7) and their states (section 3.2). */
import * as z from 'zod/mini';
import { date, flag, text } from './field-schemas.ts';
import { lazily } from './lazily.ts';

export const FREQUENCIES = [
  'Daily',
  'Weekly',
  'Fortnightly',
  'Monthly',
  'Quarterly',
  'Bi-Annually',
  'Annually',
] as const;

export const subscriptionRequest = lazily(() =>
  z.looseObject({
    customer: text('Id of the customer to bill.'),
    plan: text('Reference or id of the plan.'),
    // Only Daily and Weekly are shown in the interface, so any other word is left to the gateway.
    frequency: text(`How often the plan is billed: ${FREQUENCIES.join(', ')}.`),
    start_date: z.optional(date('First day on which the plan is billed, YYYY-MM-DD.')),
    end_date: z.optional(date('Last day on which the plan may be billed, YYYY-MM-DD.')),
    reference: text('Your own reference, by which the subscription is looked up. Must be unique.'),
    is_active: z.optional(flag('Whether the subscription is billed.')),
  }),
);

export const subscriptionUpdate = lazily(() =>
  z.looseObject({
    is_active: flag('Whether the subscription is billed: false stops it, true resumes it.'),
  }),
);
