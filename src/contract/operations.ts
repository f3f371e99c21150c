/**
 * The interface: one row an endpoint, in the file of its resource.
 *
 * A row is the HTTP contract and what money is in it. Flags, the client's checks on both edges, the
 * embedded gateway's checks, what the ledger keeps and the OpenAPI document are all derived from it.
 */

import type { Json } from '../base/json.ts';
import type { Money, Operation } from './operation.ts';
import type { RecordKind } from './record-id.ts';
import { CARD_OPERATIONS } from './resources/card.ts';
import { CUSTOMER_OPERATIONS } from './resources/customer.ts';
import { PLAN_OPERATIONS } from './resources/plan.ts';
import { PURCHASE_OPERATIONS } from './resources/purchase.ts';
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

export type OperationName = (typeof OPERATIONS)[number]['name'];

/**
 * @param name of an operation, as an entry of the journal has it
 * @returns its row; undefined for a request of the user's own, and for what is no row any more
 */
export function operationNamed(name: string | null): Operation | undefined {
  return (OPERATIONS as readonly Operation[]).find((row) => row.name === name);
}

/** @returns the row by which a record of a kind is looked up, or undefined for a card, which has none */
export function lookUpOf(kind: RecordKind): Operation | undefined {
  return (OPERATIONS as readonly Operation[]).find((row) => row.kind === kind && row.lookUp);
}

/** Of what moves none, a card that is stored is found again by its number, masked. */
const NO_MONEY: Money = { target: ['card_number', 'card.card_number'] };

/** @returns a row whose requests are recorded and judged like money */
export function likeMoney(row: Operation): Operation {
  return { ...row, effect: 'money', money: row.money ?? NO_MONEY };
}

/** @returns whether requests of a row are recorded and judged */
export function isRecorded({ effect, money }: Operation): boolean {
  return effect === 'money' && money !== undefined;
}

/** The content of a request, beside what its path names. */
interface Content {
  body?: Readonly<Record<string, Json>>;
}

/**
 * @returns whether a request may start charges that repeat. A gateway may take the flag from other fields, too: only a
 *   plain false that nothing speaks against starts none. Without any flag a subscription is billed.
 */
export function startsCharges(
  { recurring }: Pick<Operation, 'recurring'>,
  { body = {} }: Content,
): boolean {
  if (!recurring) return false;
  const { [recurring.flag]: said, ...others } = body;
  return said !== false || letters(JSON.stringify(others)).includes(letters(recurring.flag));
}

/**
 * @returns a row as it is for one request: what starts charges is money. One that makes a record is recorded,
 *   since sent twice it would charge twice; to resume what is active changes nothing
 */
export function asAsked(row: Operation, content: Content): Operation {
  if (!startsCharges(row, content)) return row;
  return row.method === 'POST' ? likeMoney(row) : { ...row, effect: 'money' };
}

const letters = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '');
