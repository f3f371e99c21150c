/** Cards: what is sent (section 2.2 and the card details group of 2.3), and what is returned. */

import type { Operation } from '../operation.ts';
import type { RecordFields } from '../record.ts';

/** Fields of a card, in any body. */
export const cardNumber = { type: 'card number', meaning: 'Card number, digits only.' } as const;
export const cardHolder = { type: 'card holder', meaning: 'Name on the card.' } as const;
export const cardExpiry = {
  type: 'card expiry',
  meaning: 'Last month in which the card is valid, MM/YYYY.',
} as const;
export const cvv = { type: 'cvv', meaning: 'Card verification value. Never stored.' } as const;

export const cardRecord = {
  token: 'text',
  card_holder: 'text',
  card_number: 'text',
  card_expiry: 'text',
  card_type: 'text',
  card_category: 'text',
  card_subcategory: 'text',
  card_issuer: 'text',
  card_country: 'text',
  authorized: 'flag',
  transaction_count: 'integer',
  alias: 'text',
} as const satisfies RecordFields;

export const tokenize = {
  name: 'tokenize',
  method: 'POST',
  path: '/v1.0/credit_cards',
  summary: 'Store a card and get a token for it',
  kind: 'card',
  effect: 'write',
  body: {
    fields: {
      card_number: cardNumber,
      card_holder: cardHolder,
      card_expiry: cardExpiry,
      cvv: { ...cvv, isOptional: true },
      // Section 2.2 mentions aliases, but does not document the field that assigns one.
      alias: {
        type: 'text',
        isOptional: true,
        meaning:
          'Your own name for the card, accepted wherever its token is. An extension: the interface does not define this field, and a gateway may ignore it.',
      },
    },
  },
  response: cardRecord,
  authorizes: true,
  success: 200,
  failures: [400, 401],
} as const satisfies Operation;

/** Deployments have these two; the text promises what they do (section 1) without a path. */
export const cardGet = {
  name: 'card get',
  method: 'GET',
  path: '/v1.0/credit_cards/{token}',
  summary: 'Look up a stored card',
  kind: 'card',
  effect: 'read',
  response: cardRecord,
  success: 200,
  failures: [401, 404],
} as const satisfies Operation;

export const cardUpdate = {
  name: 'card update',
  method: 'PUT',
  path: '/v1.0/credit_cards/{token}',
  summary: 'Change the expiry or the alias of a stored card',
  kind: 'card',
  effect: 'write',
  body: {
    isPartial: true,
    fields: { card_expiry: cardExpiry, alias: tokenize.body.fields.alias },
  },
  response: cardRecord,
  success: 200,
  failures: [400, 401, 404],
} as const satisfies Operation;

/** Endpoints for cards, in the order of section 4. */
export const CARD_OPERATIONS = [tokenize] as const;
