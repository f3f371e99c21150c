/** Turns a money request that was sent from here into a document. */

import type { JsonObject } from '../base/json.ts';
import { textOrNull } from '../base/text.ts';
import { operationNamed } from '../contract/operations.ts';
import { decimalsOf } from './decimals.ts';
import type { IndexedDocument } from './document.ts';

/** The part of a journal entry that a search can find. */
interface SentRequest {
  id: string;
  operation: string;
  state: string;
  account: string | null;
  profile: string;
  environment: string;
  host: string;
  target: string | null;
  recordId: string | null;
  refundOf: string | null;
  amount: number | null;
  currency: string | null;
  reference: string | null;
  message: string | null;
  operator: string | null;
  body: JsonObject;
  createdAt: string;
  settledAt: string | null;
}

export const originOfRequest = (id: string) => `request ${id}`;

/** The owner of the card or purchase that a request names, for a request without card data. */
export interface KnownOwner {
  who: string | null;
  lastFour: string | null;
}

const NOBODY: KnownOwner = { who: null, lastFour: null };

/** @param owner of the request's card or purchase, from other sources */
export function documentOfRequest(entry: SentRequest, owner: KnownOwner = NOBODY): IndexedDocument {
  const { id, account, profile, environment, host, amount, currency, reference, message } = entry;
  const { target, recordId, body } = entry;
  const holder = textOrNull(body.card_holder) ?? owner.who;
  return {
    kind: 'request',
    id,
    account,
    profile,
    environment,
    host,
    amount,
    currency,
    reference,
    at: entry.createdAt,
    seenAt: entry.settledAt ?? entry.createdAt,
    outcome: entry.state,
    who: holder,
    email: null,
    lastFour: /(\d{4})$/.exec(textOrNull(body.card_number) ?? '')?.[1] ?? owner.lastFour,
    // The record of a successful request has the same message.
    message: entry.state === 'done' ? null : message,
    label: entry.operation,
    ...linksOf(entry),
    operator: entry.operator,
    keys: [id, reference, target, recordId],
    words: [target, recordId, decimalsOf(amount, currency)],
    names: [holder],
  };
}

/** The record of a user's own request may have any relation to it, so the request is only found by its keys. */
function linksOf({ operation, recordId, refundOf, body }: SentRequest) {
  const none = { purchase: null, customer: null, subscription: null, plan: null };
  switch (operationNamed(operation)?.kind) {
    case 'purchase':
    case 'refund':
      return { ...none, purchase: refundOf ?? recordId };
    case 'customer':
      return { ...none, customer: recordId };
    case 'subscription':
      return {
        ...none,
        customer: textOrNull(body.customer),
        subscription: recordId,
        plan: textOrNull(body.plan),
      };
    default:
      return none;
  }
}
