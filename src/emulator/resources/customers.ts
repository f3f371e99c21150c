/**
 * Customers (section 2.6): endpoints 10 to 13.
 *
 * The card is stored and the customer keeps its token. The address is in the answer to the creation
 * and nowhere else. A deleted customer is gone for good, its reference is free again, and its
 * subscriptions are stopped. A customer is found by id or reference.
 */

import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { customerCreate, customerUpdate } from '../../contract/customer.ts';
import { bodySchema } from '../../contract/field-schemas.ts';
import { watchFrom } from '../billing/billing.ts';
import { dateTime } from '../gateway-clock.ts';
import type { Transaction } from '../store.ts';
import { type NewCard, storeCard } from './cards.ts';
import type { Handler, Handlers } from './handler.ts';
import { recordId } from './id-sequence.ts';
import type { Merchant } from './merchants.ts';
import { findRecord, isReferenceTaken } from './record-lookup.ts';
import { Refusal, type Refuse } from './refusal.ts';
import { stopSubscriptionsOf } from './subscriptions.ts';
import { accept, pick, taken, textOf, textsOf } from './validation.ts';

export interface CustomerRow {
  id: string;
  reference: string;
  first_name: string;
  last_name: string;
  email: string;
  created_at: string;
  card_token: string;
}

/** A CVV is checked and then forgotten, so it is no part of this. */
interface CustomerCard {
  card_number: string;
  card_holder?: string | undefined;
  /** `MM/YYYY` */
  expiry_date: string;
}

export interface NewCustomer {
  first_name: string;
  last_name: string;
  reference: string;
  email: string;
  card: CustomerCard;
}

const CHANGEABLE = ['email', 'reference', 'first_name', 'last_name'] as const;

const createCustomer: Handler = (tx, { merchant, body }) => {
  const refuse: Refuse = (...errors) => new Refusal(400, errors, refusedCustomer(body));
  const customer = accept(bodySchema(customerCreate.body), body, refuse);
  const row = storeCustomer(tx, merchant, customer, refuse);
  return { response: { ...customerRecord(row), address: addressOf(body.address) } };
};

/** Stores a checked customer and its card. @throws what `refuse` makes of a reference that is taken */
export function storeCustomer(
  tx: Transaction,
  merchant: Merchant,
  customer: NewCustomer,
  refuse: Refuse,
): CustomerRow {
  if (isReferenceTaken(tx, merchant, { table: 'customers', reference: customer.reference }))
    throw refuse(taken('reference'));
  const card = storeCard(tx, merchant, cardOf(customer, customer.card));
  const row: CustomerRow = {
    id: recordId(tx.seed, 'customer', merchant.prefix, tx.next('customer')),
    reference: customer.reference,
    first_name: customer.first_name,
    last_name: customer.last_name,
    email: customer.email,
    created_at: dateTime(tx.now),
    card_token: card.token,
  };
  tx.insert('customers', {
    ...row,
    merchant: merchant.prefix,
    card_watch: watchFrom(card.expiry),
  });
  return row;
}

const getCustomer: Handler = (tx, { merchant, key }) => ({
  response: customerRecord(findCustomer(tx, merchant, key)),
});

const updateCustomer: Handler = (tx, { merchant, key, body }) => {
  const customer = findCustomer(tx, merchant, key);
  const refuse: Refuse = (...errors) => new Refusal(400, errors, refusedChange(customer, body));
  const changes = accept(bodySchema(customerUpdate.body), body, refuse);
  const changed: CustomerRow = {
    ...customer,
    email: changes.email ?? customer.email,
    reference: changes.reference ?? customer.reference,
    first_name: changes.first_name ?? customer.first_name,
    last_name: changes.last_name ?? customer.last_name,
  };
  const { id } = customer;
  if (
    isReferenceTaken(tx, merchant, {
      table: 'customers',
      reference: changed.reference,
      exceptId: id,
    })
  )
    throw refuse(taken('reference'));
  if (changes.card) {
    const card = storeCard(tx, merchant, cardOf(changed, changes.card));
    changed.card_token = card.token;
    tx.update('customers', { card_watch: watchFrom(card.expiry) }, { id });
  }
  const { email, reference, first_name, last_name, card_token } = changed;
  tx.update('customers', { email, reference, first_name, last_name, card_token }, { id });
  return { response: customerRecord(changed) };
};

const deleteCustomer: Handler = (tx, { merchant, key }) => {
  const customer = findCustomer(tx, merchant, key);
  stopSubscriptionsOf(tx, customer.id);
  tx.run('DELETE FROM customers WHERE id = ?', customer.id);
  return { response: customerRecord(customer) };
};

function findCustomer(tx: Transaction, merchant: Merchant, key: string): CustomerRow {
  return findRecord(tx, merchant, { table: 'customers', key, by: ['id', 'reference'] });
}

/** The holder is the customer unless the card says otherwise (section 2.6). */
function cardOf(name: { first_name: string; last_name: string }, card: CustomerCard): NewCard {
  return {
    card_number: card.card_number,
    card_holder: card.card_holder ?? `${name.first_name} ${name.last_name}`,
    card_expiry: card.expiry_date,
  };
}

const RECORD_FIELDS = ['id', ...CHANGEABLE, 'created_at', 'card_token'] as const;

const customerRecord = (customer: CustomerRow) => pick(customer, RECORD_FIELDS);

function refusedCustomer(body: JsonObject): JsonObject {
  return {
    ...textsOf(body, RECORD_FIELDS),
    id: null,
    created_at: null,
    card_token: null,
    address: addressOf(body.address),
  };
}

/** The record with the submitted values in it, blank ones too, none of them saved (endpoint 12). */
function refusedChange(customer: CustomerRow, body: JsonObject): JsonObject {
  const record = customerRecord(customer);
  for (const field of CHANGEABLE) {
    if (field in body) record[field] = textOf(body[field]);
  }
  return record;
}

function addressOf(address: Json | undefined): JsonObject | null {
  if (!isObject(address)) return null;
  return textsOf(address, ['address', 'city', 'state', 'postcode', 'country']);
}

export const customerHandlers = {
  'customer create': createCustomer,
  'customer get': getCustomer,
  'customer update': updateCustomer,
  'customer delete': deleteCustomer,
} satisfies Handlers;
