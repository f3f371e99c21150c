/** A money request that was sent from here, as a document. */

import type { JsonObject } from '../base/json.ts';
import { textOrNull } from '../base/text.ts';
import { operationNamed } from '../contract/operations.ts';
import { decimalsOf } from './decimals.ts';
import type { IndexedDocument } from './document.ts';

/** As much of an entry of the journal as is found again. */
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

/** Whose card or purchase a request names, where it names no card of its own. */
export interface KnownOwner {
  who: string | null;
  lastFour: string | null;
}

const NOBODY: KnownOwner = { who: null, lastFour: null };

/** @param owner of what the request is about, as it is known from elsewhere */
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
    // What a success says, its record says as well.
    message: entry.state === 'done' ? null : message,
    label: entry.operation,
    ...linksOf(entry),
    operator: entry.operator,
    keys: [id, reference, target, recordId],
    words: [target, recordId, decimalsOf(amount, currency)],
    names: [holder],
  };
}

/** What a request of the user's own is about, its keys say: nobody knows what its record is to it. */
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
