/**
 * The interface: one row an endpoint, in the file of its resource.
 *
 * A row is the HTTP contract and what money is in it. Flags, the client's checks on both edges, the
 * embedded gateway's checks, what the ledger keeps and the OpenAPI document are all derived from it.
 *
 * This folder is the interface as data, a file for each resource, with the rules of its values;
 * nothing here does anything.
 */

import type { Json } from '../base/json.ts';
import type { RecordFields } from './record.ts';
import type { RecordKind } from './record-id.ts';
import type { RequestBody, RequestField } from './request.ts';
import { CARD_OPERATIONS } from './resources/card.ts';
import { CUSTOMER_OPERATIONS } from './resources/customer.ts';
import { PLAN_OPERATIONS } from './resources/plan.ts';
import { PURCHASE_OPERATIONS } from './resources/purchase.ts';
import { REFUND_OPERATIONS } from './resources/refund.ts';
import { SUBSCRIPTION_OPERATIONS } from './resources/subscription.ts';

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
  /** Given when the effect is `money`, but for what may be sent twice. */
  money?: Money;
  /** What a request of it that succeeded counts as in reports; absent where it is neither taken nor given back. */
  countsAs?: 'purchases' | 'refunds';
  /** Given where a request may start charges by a plan, which moves money later: `asAsked` tells which do. */
  recurring?: Recurring;
  /**
   * By what the row looks a record of its kind up; absent when it is no look-up. Where it says `id or
   * reference` the interface shows the id, and some deployments take the reference too.
   */
  lookUp?: 'id' | 'reference' | 'id or reference';
  body?: RequestBody;
  /** Parameters of the query, each of which may be left out. */
  query?: Readonly<Record<string, RequestField>>;
  /** One record of the response. */
  response: RecordFields;
  /** true when `response` of the envelope is an array of records. */
  list?: true;
  /** true for a request of the user's own that is no row: its answer may be of any form. */
  isForeign?: true;
  /** Of a look-up of the user's own that may be none of the row's: as what any other answer to it is read. */
  otherwise?: Operation;
  success: 200 | 201;
  /** true when the record says whether the card issuer approved (section 3.1). */
  authorizes?: true;
  /** Failure statuses that section 4 or 5 names. */
  failures: readonly number[];
}

export interface Money {
  /**
   * What tells whose money it is, the first that is given: fields of the body, or the parameter of
   * the path as it stands there, `{purchase_id}`.
   */
  target: readonly string[];
  /** Kind of the record that the target names, when money of it is given back: never more than it has. */
  givesBack?: RecordKind;
}

export interface Recurring {
  /** Flag of the body: only a request in which it is false starts no charges. */
  flag: string;
  /** What names the plan: the body, or the record that the path names. */
  planIn: 'body' | 'record';
}

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
const NO_MONEY: Money = { target: ['card_number'] };

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
  query?: unknown;
  body?: Readonly<Record<string, Json>>;
}

/**
 * @returns whether a request may start charges that repeat. A gateway may take other forms for a yes, other
 *   letters and other places: only a plain false that nothing speaks against starts none. Without any
 *   flag a subscription is billed.
 */
export function startsCharges(
  { recurring }: Pick<Operation, 'recurring'>,
  { query, body = {} }: Content,
): boolean {
  if (!recurring) return false;
  const { [recurring.flag]: said, ...others } = body;
  return (
    said !== false || letters(JSON.stringify([query, others])).includes(letters(recurring.flag))
  );
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
