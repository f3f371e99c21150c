/**
 * Purchases (section 2.3).
 *
 * Tests: test/unit/contract/check.test.ts, test/unit/emulator/resources/purchases.test.ts
 */

import type { Operation } from '../operation.ts';
import type { RecordFields } from '../record.ts';
import type { RequestFields } from '../request.ts';
import { cardExpiry, cardHolder, cardNumber, cvv } from './card.ts';

export const purchaseRecord = {
  id: 'text',
  authorization: 'text or integer',
  card_number: 'text',
  card_holder: 'text',
  card_expiry: 'text',
  card_token: 'text',
  amount: 'integer',
  decimal_amount: 'number',
  successful: 'flag',
  authorized: 'flag',
  message: 'text',
  reference: 'text',
  currency: 'text',
  settlement_date: 'text',
  transaction_date: 'text',
  source: 'text',
} as const satisfies RecordFields;

const fields = {
  amount: {
    type: 'positive integer',
    meaning: 'Amount in minor currency units: 2500 is 25.00 AUD.',
  },
  currency: { type: 'currency', isOptional: true, meaning: 'ISO 4217 currency code.' },
  reference: {
    type: 'text',
    isOptional: true,
    meaning: 'Your own reference for the purchase.',
  },
  card_token: {
    type: 'text',
    isOptional: true,
    standsFor: ['card_number', 'card_holder', 'card_expiry'],
    meaning: 'Token or alias of a stored card, instead of the card details.',
  },
  card_number: { ...cardNumber, isOptional: true },
  card_holder: { ...cardHolder, isOptional: true },
  card_expiry: { ...cardExpiry, isOptional: true },
  cvv: { ...cvv, isOptional: true },
  customer_ip: {
    type: 'IP address',
    isOptional: true,
    meaning: "The customer's IP address.",
  },
} as const satisfies RequestFields;

/** Takes either the card details group or `card_token`; a CVV may accompany both. */
export const purchaseCreate = {
  name: 'purchase create',
  method: 'POST',
  path: '/v1.0/purchases',
  summary: 'Charge a card',
  kind: 'purchase',
  effect: 'money',
  money: { target: ['card_token', 'card_number'] },
  countsAs: 'purchases',
  body: { fields },
  deployedBody: {
    fields: {
      ...fields,
      // A currency that is none is rejected with a record, and not as a field.
      currency: { ...fields.currency, type: 'text' },
      capture: {
        type: 'flag',
        isOptional: true,
        meaning: 'False authorises the amount and takes no money.',
      },
    },
  },
  response: purchaseRecord,
  authorizes: true,
  success: 200,
  failures: [400, 401],
} as const satisfies Operation;

export const purchaseGet = {
  name: 'purchase get',
  method: 'GET',
  path: '/v1.0/purchases/{purchase_id}',
  summary: 'Look up purchases by id',
  kind: 'purchase',
  effect: 'read',
  lookUp: 'id or reference',
  response: purchaseRecord,
  success: 200,
  failures: [401, 403, 404],
} as const satisfies Operation;

/** Deployments have this, and the text does not. */
export const purchaseList = {
  name: 'purchase list',
  method: 'GET',
  path: '/v1.0/purchases',
  summary: 'List purchases by reference or by days',
  kind: 'purchase',
  effect: 'read',
  query: {
    reference: { type: 'text', isOptional: true, meaning: 'Your own reference.' },
    from: { type: 'date', isOptional: true, meaning: 'First day, YYYY-MM-DD.' },
    to: { type: 'date', isOptional: true, meaning: 'Last day, YYYY-MM-DD.' },
  },
  response: purchaseRecord,
  list: true,
  success: 200,
  failures: [400, 401],
} as const satisfies Operation;

/** Endpoints for purchases, in the order of section 4. */
export const PURCHASE_OPERATIONS = [purchaseCreate, purchaseGet] as const;
