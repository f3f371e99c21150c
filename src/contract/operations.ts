/**
 * The interface: one row per endpoint, in the file of its resource.
 *
 * A row describes the HTTP contract and the money in it. Flags, the client's checks, the test gateway's checks, the
 * content of the ledger and the OpenAPI document are all derived from it.
 */

import type { Json } from '../base/json.ts';
import type { MoneyRule, Operation } from './operation.ts';
import type { RecordKind } from './record.ts';
import { CARD_OPERATIONS, cardGet, cardUpdate } from './resources/card.ts';
import { CUSTOMER_OPERATIONS } from './resources/customer.ts';
import { PLAN_OPERATIONS } from './resources/plan.ts';
import { PURCHASE_OPERATIONS, purchaseList } from './resources/purchase.ts';
import { REFUND_OPERATIONS } from './resources/refund.ts';
import { SUBSCRIPTION_OPERATIONS } from './resources/subscription.ts';

/** Every endpoint, in the order of section 4. */
export const OPERATIONS = [
  ...CARD_OPERATIONS,
  ...PURCHASE_OPERATIONS,
  ...REFUND_OPERATIONS,
  ...PLAN_OPERATIONS,
  ...CUSTOMER_OPERATIONS,
  ...SUBSCRIPTION_OPERATIONS,
] as const satisfies readonly Operation[];

/** Endpoints that deployments have and the text does not. gw has no commands for them. */
export const DEPLOYED_OPERATIONS = [
  cardGet,
  cardUpdate,
  purchaseList,
] as const satisfies readonly Operation[];

export type OperationName = (typeof OPERATIONS)[number]['name'];

/**
 * @param name name of an operation, as in a journal entry
 * @returns its row; undefined for a request of the user's own, or for an unknown name
 */
export function findOperation(name: string | null): Operation | undefined {
  return (OPERATIONS as readonly Operation[]).find((row) => row.name === name);
}

/** @returns the row that looks up a kind of record; undefined for a card, which has none */
export function lookUpOf(kind: RecordKind): Operation | undefined {
  return (OPERATIONS as readonly Operation[]).find((row) => row.kind === kind && row.lookUp);
}

/** @returns the row by which deployments list a kind of record by reference; undefined if none does */
export function listByReferenceOf(kind: RecordKind): Operation | undefined {
  return (DEPLOYED_OPERATIONS as readonly Operation[]).find(
    (row) => row.kind === kind && row.list && row.query?.reference,
  );
}

/** A stored card moves no money; its masked number identifies the request. */
const NO_MONEY: MoneyRule = { target: ['card_number', 'card.card_number'] };

/** @returns the row, changed so that its requests are recorded and judged like money */
export function likeMoney(row: Operation): Operation {
  return { ...row, effect: 'money', money: row.money ?? NO_MONEY };
}

/** @returns whether requests of the row are recorded and judged */
export function isRecorded({ effect, money }: Operation): boolean {
  return effect === 'money' && money !== undefined;
}

/** @returns whether the request names no currency for its amount: that of the account or of a purchase counts */
export function lacksCurrency({ body }: Pick<Operation, 'body'>): boolean {
  return body !== undefined && 'amount' in body.fields && !('currency' in body.fields);
}

/** Content of a request, besides what its path names. */
interface Content {
  body?: Readonly<Record<string, Json>>;
}

/**
 * @returns whether a request may start recurring charges. Without any flag, a subscription is billed. A gateway may
 *   also read the flag from other fields. So only a plain false, with no similar field elsewhere in the body, starts
 *   none.
 */
export function startsCharges(
  { recurring }: Pick<Operation, 'recurring'>,
  { body = {} }: Content,
): boolean {
  if (!recurring) return false;
  const { [recurring.flag]: said, ...others } = body;
  return said !== false || lettersOf(JSON.stringify(others)).includes(lettersOf(recurring.flag));
}

/**
 * @returns the row for one request, with effect `money` if it starts charges. A request that creates a record is also
 *   recorded, because sending it twice would charge twice. Resuming an active subscription changes nothing, so it is
 *   not recorded.
 */
export function rowForRequest(row: Operation, content: Content): Operation {
  if (!startsCharges(row, content)) return row;
  return row.method === 'POST' ? likeMoney(row) : { ...row, effect: 'money' };
}

const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '');
