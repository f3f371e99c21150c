/**
 * The table of the interface: one row per endpoint, in the order of section 4.
 *
 * A row is the HTTP contract and nothing else. Flags, the client's checks on both edges, the embedded
 * gateway's checks and the OpenAPI document are all derived from it and from the schema of its body
 * (requests.ts).
 */

import type { RecordFields } from './record.ts';
import type { RecordKind } from './record-id.ts';
import {
  cardRecord,
  customerRecord,
  planRecord,
  purchaseRecord,
  refundRecord,
  subscriptionRecord,
} from './records.ts';

/** `read` changes nothing; `write` changes a record; `money` moves money; `destroy` removes a record. */
export type Effect = 'read' | 'write' | 'money' | 'destroy';

export interface Operation {
  /** What a user types after `gw`. */
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below the base address, with at most one parameter in braces. */
  path: string;
  summary: string;
  kind: RecordKind;
  effect: Effect;
  /** true when the request has a body; its schema is in requests.ts. */
  hasBody?: true;
  /** One record of the response. */
  response: RecordFields;
  /** true when `response` of the envelope is an array of records. */
  list?: true;
  success: 200 | 201;
  /** true when the record says whether the card issuer approved (section 3.1). */
  authorizes?: true;
  /** Failure statuses that section 4 or 5 names. */
  failures: readonly number[];
}

export const tokenize = {
  name: 'tokenize',
  method: 'POST',
  path: '/v1.0/credit_cards',
  summary: 'Store a card and get a token for it',
  kind: 'card',
  effect: 'write',
  hasBody: true,
  response: cardRecord,
  authorizes: true,
  success: 200,
  failures: [400, 401],
} as const satisfies Operation;

export const purchaseCreate = {
  name: 'purchase create',
  method: 'POST',
  path: '/v1.0/purchases',
  summary: 'Charge a card',
  kind: 'purchase',
  effect: 'money',
  hasBody: true,
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
  response: purchaseRecord,
  success: 200,
  failures: [401, 403, 404],
} as const satisfies Operation;

export const refundCreate = {
  name: 'refund create',
  method: 'POST',
  path: '/v1.0/refunds',
  summary: 'Refund a purchase, in part or whole',
  kind: 'refund',
  effect: 'money',
  hasBody: true,
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
  response: refundRecord,
  success: 200,
  failures: [401, 403, 404],
} as const satisfies Operation;

export const planCreate = {
  name: 'plan create',
  method: 'POST',
  path: '/v1.0/plans',
  summary: 'Create a plan',
  kind: 'plan',
  effect: 'write',
  hasBody: true,
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
  response: planRecord,
  success: 200,
  failures: [401, 403, 404],
} as const satisfies Operation;

export const planUpdateOperation = {
  name: 'plan update',
  method: 'PUT',
  path: '/v1.0/plans/{plan_id}',
  summary: 'Change the name or description of a plan',
  kind: 'plan',
  effect: 'write',
  hasBody: true,
  response: planRecord,
  success: 200,
  failures: [401, 403, 404, 501],
} as const satisfies Operation;

export const customerCreate = {
  name: 'customer create',
  method: 'POST',
  path: '/v1.0/customers',
  summary: 'Create a customer with a stored card',
  kind: 'customer',
  effect: 'write',
  hasBody: true,
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
  response: customerRecord,
  success: 200,
  failures: [401, 403, 404],
} as const satisfies Operation;

export const customerUpdateOperation = {
  name: 'customer update',
  method: 'PUT',
  path: '/v1.0/customers/{customer_id}.json',
  summary: 'Change a customer',
  kind: 'customer',
  effect: 'write',
  hasBody: true,
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

export const subscriptionCreate = {
  name: 'subscription create',
  method: 'POST',
  path: '/v1.0/subscriptions',
  summary: 'Bill a customer for a plan at a frequency',
  kind: 'subscription',
  effect: 'write',
  hasBody: true,
  response: subscriptionRecord,
  success: 201,
  failures: [400, 401, 403],
} as const satisfies Operation;

export const subscriptionGet = {
  name: 'subscription get',
  method: 'GET',
  path: '/v1.0/subscriptions/{subscription_reference}.json',
  summary: 'Look up subscriptions by reference',
  kind: 'subscription',
  effect: 'read',
  response: subscriptionRecord,
  success: 200,
  failures: [401, 403, 404],
} as const satisfies Operation;

export const subscriptionUpdateOperation = {
  name: 'subscription update',
  method: 'PUT',
  path: '/v1.0/subscriptions/{subscription_id}.json',
  summary: 'Stop or resume a subscription',
  kind: 'subscription',
  effect: 'write',
  hasBody: true,
  response: subscriptionRecord,
  success: 200,
  failures: [400, 401, 403, 404],
} as const satisfies Operation;

/** Every endpoint, in the order of section 4. */
export const OPERATIONS = [
  tokenize,
  purchaseCreate,
  purchaseGet,
  refundCreate,
  refundGet,
  planCreate,
  planList,
  planGet,
  planUpdateOperation,
  customerCreate,
  customerGet,
  customerUpdateOperation,
  customerDelete,
  subscriptionCreate,
  subscriptionGet,
  subscriptionUpdateOperation,
] as const satisfies readonly Operation[];

export type OperationName = (typeof OPERATIONS)[number]['name'];
