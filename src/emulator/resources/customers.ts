/**
 * Customers (section 2.6): endpoints 10 to 13.
 *
 * The card is stored, and the customer keeps its token; the deployed dialect also takes the token of a stored card. A
 * change without a card number changes the stored card, which keeps its token (section 1). Its expiry may be in the
 * past, as for a new card; the card has then expired. The address is only in the answer to the creation. A deleted
 * customer is gone for good: its reference is free, and its subscriptions are stopped. A customer is found by id, and
 * in the deployed dialect also by reference.
 */

import type * as z from 'zod/mini';
import type { JsonObject } from '../../base/json.ts';
import { firstExpiringDay } from '../../contract/expiry.ts';
import type { BodySchema } from '../../contract/field-schemas.ts';
import { customerCreate, customerUpdate } from '../../contract/resources/customer.ts';
import { invariant } from '../../failure.ts';
import { insert, onlyRow, runSql, update } from '../../store/sql.ts';
import type { Transaction } from '../store.ts';
import {
  type CardRow,
  changeStoredCard,
  findCard,
  missingCard,
  type NewCard,
  storeCard,
  storedExpiry,
} from './cards.ts';
import { type Handler, Refusal, type Refuse } from './handler.ts';
import { newId } from './ids.ts';
import type { Merchant } from './merchants.ts';
import { findRecord, referenceFaults } from './record-lookup.ts';
import { stopSubscriptionsOf } from './subscriptions.ts';
import {
  accept,
  bodyOf,
  metadataOf,
  pick,
  refusing,
  shownMetadata,
  submitted,
  submittedText,
} from './validation.ts';

export interface CustomerRow {
  id: string;
  reference: string;
  first_name: string;
  last_name: string;
  email: string;
  created_at: string;
  card_token: string;
  /** JSON as it was sent. */
  metadata: string | null;
}

type Created = z.infer<BodySchema<typeof customerCreate.body>>;
/** The CVV is checked and not kept, so it is not part of this. */
type CustomerCard = Pick<Created['card'], 'card_number' | 'card_holder' | 'expiry_date'>;
/** The card of an update; without a number it changes the stored card. */
type CardChange = NonNullable<z.infer<BodySchema<typeof customerUpdate.body>>['card']>;

const CHANGEABLE = ['email', 'reference', 'first_name', 'last_name'] as const;

const createCustomer: Handler = (tx, call) => {
  const { merchant, body } = call;
  const refuse = refusing(customerCreate, body, [...RECORD_FIELDS, 'address']);
  const customer = accept(bodyOf(customerCreate, tx.dialect), call, refuse, (right) => [
    ...referenceFaults(tx, merchant, 'customers', { reference: right.reference }),
    ...missingCard(tx, merchant, right.card_token),
  ]);
  const { card, card_token: token } = customer;
  const stored =
    token === undefined
      ? card && storeCard(tx, merchant, cardOf(customer, card))
      : findCard(tx, merchant, token);
  invariant(stored, 'a customer that is accepted has no card');
  const row = storeCustomer(tx, merchant, { ...customer, metadata: metadataOf(body) }, stored);
  const address = submitted(customerCreate.body.fields.address, body.address);
  return { response: { ...shownCustomer(tx, row), address } };
};

/** Stores a checked customer. @param card which is stored already */
export function storeCustomer(
  tx: Transaction,
  merchant: Merchant,
  customer: Pick<CustomerRow, (typeof CHANGEABLE)[number] | 'metadata'>,
  card: CardRow,
): CustomerRow {
  const row: CustomerRow = {
    id: newId(tx, 'customers', merchant.prefix),
    reference: customer.reference,
    first_name: customer.first_name,
    last_name: customer.last_name,
    email: customer.email,
    created_at: tx.dateTime,
    card_token: card.token,
    metadata: customer.metadata,
  };
  tx.do(
    insert('customers', {
      ...row,
      merchant: merchant.prefix,
      card_watch: firstExpiringDay(card.expiry),
    }),
  );
  return row;
}

const getCustomer: Handler = (tx, { merchant, key }) => ({
  response: shownCustomer(tx, findCustomer(tx, merchant, key)),
});

const updateCustomer: Handler = (tx, call) => {
  const { merchant, key, body } = call;
  const customer = findCustomer(tx, merchant, key);
  const refuse: Refuse = (...errors) => new Refusal(400, errors, refusedChange(customer, body));
  const { id } = customer;
  const changes = accept(customerUpdate.body, call, refuse, ({ reference }) =>
    referenceFaults(tx, merchant, 'customers', { reference, exceptId: id }),
  );
  const changed: CustomerRow = {
    ...customer,
    email: changes.email ?? customer.email,
    reference: changes.reference ?? customer.reference,
    first_name: changes.first_name ?? customer.first_name,
    last_name: changes.last_name ?? customer.last_name,
    metadata: metadataOf(body) ?? customer.metadata,
  };
  if (changes.card) changed.card_token = changeCard(tx, merchant, changed, changes.card);
  const { email, reference, first_name, last_name, card_token, metadata } = changed;
  const row = { email, reference, first_name, last_name, card_token, metadata };
  tx.do(update('customers', row, { id }));
  return { response: shownCustomer(tx, changed) };
};

/** @returns the token of the customer's card, which is new for a new card */
function changeCard(
  tx: Transaction,
  merchant: Merchant,
  customer: CustomerRow,
  { card_number, card_holder, expiry_date }: CardChange,
): string {
  if (card_number !== undefined) {
    invariant(expiry_date, 'a card that is accepted has no expiry');
    const details = { card_number, card_holder, expiry_date };
    const { token, expiry } = storeCard(tx, merchant, cardOf(customer, details));
    tx.do(update('customers', { card_watch: firstExpiringDay(expiry) }, { id: customer.id }));
    return token;
  }
  const { card_token: token } = customer;
  const card = tx.do(onlyRow<CardRow>('SELECT * FROM cards WHERE token = ?', [token]));
  const expiry = expiry_date && storedExpiry(expiry_date);
  changeStoredCard(tx, card, { card_holder, expiry });
  return token;
}

const deleteCustomer: Handler = (tx, { merchant, key }) => {
  const customer = findCustomer(tx, merchant, key);
  stopSubscriptionsOf(tx, customer.id);
  tx.do(runSql('DELETE FROM customers WHERE id = ?', [customer.id]));
  return { response: shownCustomer(tx, customer) };
};

function findCustomer(tx: Transaction, merchant: Merchant, key: string): CustomerRow {
  return findRecord(tx, merchant, { table: 'customers', key });
}

/** The holder is the customer unless the card says otherwise (section 2.6). */
export function cardOf(
  name: { first_name: string; last_name: string },
  card: CustomerCard,
): NewCard {
  return {
    card_number: card.card_number,
    card_holder: card.card_holder ?? `${name.first_name} ${name.last_name}`,
    card_expiry: card.expiry_date,
  };
}

const RECORD_FIELDS = ['id', ...CHANGEABLE, 'created_at', 'card_token'] as const;

const customerRecord = (customer: CustomerRow) => pick(customer, RECORD_FIELDS);

/** @returns the record, in the deployed dialect with the fields that deployments send in addition to section 2.6 */
function shownCustomer(tx: Transaction, customer: CustomerRow): JsonObject {
  const record = customerRecord(customer);
  if (tx.dialect === 'strict') return record;
  const sql = 'SELECT card_number FROM cards WHERE token = ?';
  const { card_number } = tx.do(onlyRow<Pick<CardRow, 'card_number'>>(sql, [customer.card_token]));
  const metadata = shownMetadata(customer.metadata);
  return { ...record, card_number, bank_account: null, metadata };
}

/** The record with the submitted values, blank ones included; none of them is saved (endpoint 12). */
function refusedChange(customer: CustomerRow, body: JsonObject): JsonObject {
  const record = customerRecord(customer);
  for (const field of CHANGEABLE) {
    if (field in body) record[field] = submittedText(body[field]);
  }
  return record;
}

export const customerHandlers = {
  'customer create': createCustomer,
  'customer get': getCustomer,
  'customer update': updateCustomer,
  'customer delete': deleteCustomer,
};
