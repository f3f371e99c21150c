/**
 * Plans (section 2.5). `reference` and `amount` are fixed once a plan is in use. Until then they can be changed,
 * although row 9 of section 4 names only name and description.
 *
 * Tests: test/unit/contract/records.test.ts, test/unit/contract/check.test.ts, test/unit/emulator/dialects.test.ts
 */

import type { Operation } from '../operation.ts';
import type { RecordFields } from '../record.ts';

export const planRecord = {
  id: 'text',
  name: 'text',
  reference: 'text',
  description: 'text',
  amount: 'integer',
  currency: 'text',
  subscription_count: 'integer',
} as const satisfies RecordFields;

export const planCreate = {
  name: 'plan create',
  method: 'POST',
  path: '/v1.0/plans',
  summary: 'Create a plan',
  kind: 'plan',
  effect: 'write',
  body: {
    fields: {
      name: { type: 'text', meaning: 'Name of the plan.' },
      reference: {
        type: 'text',
        meaning:
          'Your own reference for the plan, by which you can also look it up. Must be unique.',
      },
      description: { type: 'text', meaning: 'What the plan is for.' },
      amount: {
        type: 'positive integer',
        meaning: 'Amount of each charge, in minor currency units.',
      },
    },
  },
  response: planRecord,
  success: 201,
  failures: [400, 401],
} as const satisfies Operation;

export const planList = {
  name: 'plan list',
  method: 'GET',
  path: '/v1.0/plans.json',
  summary: 'List plans',
  kind: 'plan',
  effect: 'read',
  // The interface does not document paging; deployments accept these two parameters.
  query: {
    limit: {
      type: 'positive integer',
      isOptional: true,
      meaning: 'Plans per page. An extension: the interface shows no paging.',
    },
    offset: {
      type: 'positive integer',
      isOptional: true,
      meaning: 'Page number, starting at 1. An extension, like limit.',
    },
  },
  response: planRecord,
  list: true,
  success: 200,
  failures: [401],
} as const satisfies Operation;

export const planGet = {
  name: 'plan get',
  method: 'GET',
  path: '/v1.0/plans/{plan_id}',
  summary: 'Look up plans by id',
  kind: 'plan',
  effect: 'read',
  lookUp: 'id',
  response: planRecord,
  success: 200,
  failures: [401, 403, 404],
} as const satisfies Operation;

export const planUpdate = {
  name: 'plan update',
  method: 'PUT',
  path: '/v1.0/plans/{plan_id}',
  summary: 'Change a plan',
  kind: 'plan',
  effect: 'write',
  body: {
    isPartial: true,
    fields: {
      name: { type: 'text', meaning: 'New name of the plan.' },
      reference: {
        type: 'text',
        meaning: 'New reference. Cannot change once a subscription uses the plan.',
      },
      description: { type: 'text', meaning: 'New description of the plan.' },
      amount: {
        type: 'positive integer',
        meaning:
          'New amount of each charge, in minor currency units. Cannot change once a subscription uses the plan.',
      },
    },
  },
  response: planRecord,
  success: 200,
  failures: [401, 403, 404, 501],
} as const satisfies Operation;

/** Endpoints for plans, in the order of section 4. */
export const PLAN_OPERATIONS = [planCreate, planList, planGet, planUpdate] as const;
