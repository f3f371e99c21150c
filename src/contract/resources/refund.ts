/** Refunds (section 2.4). */

import type { Operation } from '../operation.ts';
import type { RecordFields } from '../record.ts';

export const refundRecord = {
  id: 'text',
  authorization: 'text',
  amount: 'integer',
  refunded: 'text',
  message: 'text',
  card_holder: 'text',
  card_number: 'text',
  card_expiry: 'text',
  card_type: 'text',
  successful: 'flag',
  transaction_date: 'text',
  response_code: 'text',
} as const satisfies RecordFields;

export const refundCreate = {
  name: 'refund create',
  method: 'POST',
  path: '/v1.0/refunds',
  summary: 'Refund all or part of a purchase',
  kind: 'refund',
  effect: 'money',
  money: { target: ['transaction_id'], givesBack: 'purchase' },
  countsAs: 'refunds',
  body: {
    fields: {
      transaction_id: { type: 'text', meaning: 'Id of the purchase to refund.' },
      amount: {
        type: 'positive integer',
        meaning: 'Amount in minor currency units. There is no default: say how much to refund.',
      },
      reference: { type: 'text', meaning: 'Your own reference for the refund.' },
    },
  },
  response: refundRecord,
  authorizes: true,
  success: 200,
  failures: [400, 401, 403],
} as const satisfies Operation;

export const refundGet = {
  name: 'refund get',
  method: 'GET',
  path: '/v1.0/refunds/{refund_id}',
  summary: 'Look up refunds by id',
  kind: 'refund',
  effect: 'read',
  lookUp: 'id',
  response: refundRecord,
  success: 200,
  failures: [401, 403, 404],
} as const satisfies Operation;

/** Endpoints for refunds, in the order of section 4. */
export const REFUND_OPERATIONS = [refundCreate, refundGet] as const;
