/**
 * Customers (section 2.6).
 *
 * Tests: test/unit/contract/records.test.ts, test/unit/emulator/dialects.test.ts
 */

import type { Operation } from '../operation.ts';
import type { RecordFields } from '../record.ts';
import type { RequestFields, RequestGroup } from '../request.ts';
import { cardExpiry, cardHolder, cardNumber, cvv } from './card.ts';

export const customerRecord = {
  id: 'text',
  first_name: 'text',
  last_name: 'text',
  reference: 'text',
  email: 'text',
  created_at: 'text',
  card_token: 'text',
  address: {
    address: 'text',
    city: 'text',
    state: 'text',
    postcode: 'text',
    country: 'text',
  },
} as const satisfies RecordFields;

const address = {
  isOptional: true,
  fields: {
    address: { type: 'text', isOptional: true, meaning: 'Street address.' },
    city: { type: 'text', isOptional: true, meaning: 'City.' },
    state: { type: 'text', isOptional: true, meaning: 'State or province.' },
    postcode: { type: 'text', isOptional: true, meaning: 'Postcode.' },
    country: { type: 'text', isOptional: true, meaning: 'Country.' },
  },
} as const satisfies RequestGroup;

/** All fields except the card, which has another form in an update. */
const person = {
  first_name: { type: 'text', meaning: 'First name.' },
  last_name: { type: 'text', meaning: 'Last name.' },
  reference: {
    type: 'text',
    meaning: 'Your own reference for the customer. Must be unique.',
  },
  email: { type: 'text', meaning: 'Email address for receipts.' },
  ip_address: { type: 'text', isOptional: true, meaning: "The customer's IP address." },
} as const satisfies RequestFields;

const newCard = {
  fields: {
    card_number: cardNumber,
    card_holder: { ...cardHolder, isOptional: true },
    expiry_date: cardExpiry,
    cvv,
  },
} as const satisfies RequestGroup;

/** A new card if there is a number; otherwise changes to the stored card (section 1), which keeps its token. */
const changedCard = {
  fields: {
    card_number: {
      ...cardNumber,
      isOptional: true,
      needs: ['expiry_date', 'cvv'],
      meaning: 'Number of a new card that replaces the stored one, digits only.',
    },
    card_holder: {
      ...cardHolder,
      isOptional: true,
      meaning: 'Name on the new card or, without a card number, on the stored one.',
    },
    expiry_date: {
      ...cardExpiry,
      isOptional: true,
      meaning:
        'Last month in which the new card or, without a card number, the stored one is valid, MM/YYYY.',
    },
    cvv: {
      ...cvv,
      isOptional: true,
      meaning: 'Card verification value. Required with a card number. Never stored.',
    },
  },
} as const satisfies RequestGroup;

export const customerCreate = {
  name: 'customer create',
  method: 'POST',
  path: '/v1.0/customers',
  summary: 'Create a customer with a stored card',
  kind: 'customer',
  effect: 'write',
  body: { fields: { ...person, card: newCard, address } },
  deployedBody: {
    fields: {
      ...person,
      card: { ...newCard, isOptional: true },
      card_token: {
        type: 'text',
        isOptional: true,
        standsFor: ['card'],
        meaning: 'Token or alias of a stored card, instead of the card.',
      },
      address,
    },
  },
  response: customerRecord,
  success: 201,
  failures: [400, 401],
} as const satisfies Operation;

export const customerGet = {
  name: 'customer get',
  method: 'GET',
  path: '/v1.0/customers/{customer_id}.json',
  summary: 'Look up customers by id',
  kind: 'customer',
  effect: 'read',
  lookUp: 'id',
  response: customerRecord,
  success: 200,
  failures: [401, 403, 404],
} as const satisfies Operation;

export const customerUpdate = {
  name: 'customer update',
  method: 'PUT',
  path: '/v1.0/customers/{customer_id}.json',
  summary: 'Change a customer, or give them a new card',
  kind: 'customer',
  effect: 'write',
  body: { isPartial: true, fields: { ...person, card: changedCard, address } },
  response: customerRecord,
  success: 200,
  failures: [400, 401, 403, 404],
} as const satisfies Operation;

export const customerDelete = {
  name: 'customer delete',
  method: 'DELETE',
  path: '/v1.0/customers/{customer_id}.json',
  summary: 'Delete a customer',
  kind: 'customer',
  effect: 'destroy',
  response: customerRecord,
  success: 200,
  failures: [401, 403, 404],
} as const satisfies Operation;

/** Endpoints for customers, in the order of section 4. */
export const CUSTOMER_OPERATIONS = [
  customerCreate,
  customerGet,
  customerUpdate,
  customerDelete,
] as const;
