/**
 * Subscriptions (section 2.7) and their states (section 3.2).
 *
 * Tests: test/unit/contract/records.test.ts, test/unit/emulator/dialects.test.ts
 */

import type { Operation } from '../operation.ts';
import type { RecordFields } from '../record.ts';

export const FREQUENCIES = [
  'Daily',
  'Weekly',
  'Fortnightly',
  'Monthly',
  'Quarterly',
  'Bi-Annually',
  'Annually',
] as const;

export const subscriptionRecord = {
  id: 'text',
  customer: 'text',
  plan: 'text',
  frequency: 'text',
  start_date: 'text',
  end_date: 'text',
  next_billing_date: 'text',
  reference: 'text',
  last_status: 'text',
  is_active: 'flag',
} as const satisfies RecordFields;

export const subscriptionCreate = {
  name: 'subscription create',
  method: 'POST',
  path: '/v1.0/subscriptions',
  summary: 'Bill a customer for a plan at a frequency',
  kind: 'subscription',
  effect: 'write',
  recurring: { flag: 'is_active', planIn: 'body' },
  body: {
    fields: {
      customer: { type: 'text', meaning: 'Id of the customer to bill.' },
      plan: { type: 'text', meaning: 'Reference or id of the plan.' },
      // The interface documents only Daily and Weekly, so the gateway decides about any other word.
      frequency: {
        type: 'text',
        words: FREQUENCIES,
        meaning: `How often the plan is billed: ${FREQUENCIES.join(', ')}.`,
      },
      start_date: {
        type: 'date',
        isOptional: true,
        usually: 'today',
        meaning: 'First day on which the plan is billed, YYYY-MM-DD.',
      },
      end_date: {
        type: 'date',
        isOptional: true,
        meaning:
          'Last day on which the plan may be billed, YYYY-MM-DD. An extension: the interface defines it only in answers.',
      },
      reference: {
        type: 'text',
        meaning:
          'Your own reference for the subscription, by which you can also look it up. Must be unique.',
      },
      is_active: {
        type: 'flag',
        isOptional: true,
        meaning: 'Whether the subscription is billed.',
      },
    },
  },
  response: subscriptionRecord,
  success: 201,
  failures: [400, 401, 403],
} as const satisfies Operation;

/** The interface looks subscriptions up by reference; deployments accept the id too. */
export const subscriptionGet = {
  name: 'subscription get',
  method: 'GET',
  path: '/v1.0/subscriptions/{subscription_reference}.json',
  summary: 'Look up subscriptions by reference',
  kind: 'subscription',
  effect: 'read',
  lookUp: 'reference',
  response: subscriptionRecord,
  success: 200,
  failures: [401, 403, 404],
} as const satisfies Operation;

export const subscriptionUpdate = {
  name: 'subscription update',
  method: 'PUT',
  path: '/v1.0/subscriptions/{subscription_id}.json',
  summary: 'Stop or resume a subscription',
  kind: 'subscription',
  effect: 'write',
  recurring: { flag: 'is_active', planIn: 'record' },
  body: {
    fields: {
      is_active: {
        type: 'flag',
        meaning: 'Whether the subscription is billed: false stops it, true resumes it.',
      },
    },
  },
  response: subscriptionRecord,
  success: 200,
  failures: [400, 401, 403, 404],
} as const satisfies Operation;

/** Endpoints for subscriptions, in the order of section 4. */
export const SUBSCRIPTION_OPERATIONS = [
  subscriptionCreate,
  subscriptionGet,
  subscriptionUpdate,
] as const;
