/**
 * What gw knows of one thing, as one row of one index: a record of the gateway as it was seen last, a
 * money request that was sent from here, or an object of a webhook event. It has what people find a
 * thing by, what it is tied to, and what is summed up; the thing itself is where it always was.
 *
 * A delivery is anybody's word until the gateway was asked. So an event is a document of its own kind and
 * never becomes a record; what counts money decides whether it counts events.
 *
 * This folder writes the index, in the transaction of what it indexes, and reads it.
 */
import type { RecordKind } from '../contract/record-id.ts';

export type DocumentKind = RecordKind | 'request' | 'event';

export const DOCUMENT_KINDS: readonly DocumentKind[] = [
  'purchase',
  'refund',
  'plan',
  'customer',
  'subscription',
  'card',
  'request',
  'event',
];

/** All that `Document.outcome` may be. */
export const DOCUMENT_OUTCOMES = [
  'approved',
  'declined',
  'unclear',
  'active',
  'stopped',
  'deleted',
  'sending',
  'done',
  'rejected',
  'not-sent',
  'not-done',
  'unknown',
  'pending',
  'abandoned',
  'expiring',
  'expired',
  'bad',
  'contradicted',
] as const;

export interface Document {
  kind: DocumentKind;
  /** What other commands take to find it: id of the record (token of a card), of the entry, number of the event. */
  id: string;
  /** When it happened, by its own date: ISO 8601, a date or a date-time; of what has none, when it was seen first. */
  at: string;
  /** When this was learnt last: ISO 8601, UTC. */
  seenAt: string;
  /** Fingerprint of the account; null where it is not known. */
  account: string | null;
  profile: string | null;
  environment: string | null;
  host: string | null;
  /**
   * Of purchases, refunds and cards `approved`, `declined`, `rejected` or `unclear`; of subscriptions `active` or
   * `stopped`; of a customer that was deleted from here `deleted`; of an event its outcome, `contradicted`
   * where the gateway says otherwise; of a request the state of its entry.
   */
  outcome: string | null;
  /** Minor units; of a refund as its record has it, negative by the interface. */
  amount: number | null;
  currency: string | null;
  reference: string | null;
  /** Name on the card, of the customer, of the plan. */
  who: string | null;
  email: string | null;
  lastFour: string | null;
  /** What the gateway said: a reason, a `last_status`. */
  message: string | null;
  /** Of a request its operation, of an event its name, of a purchase its `source`, of a subscription its frequency. */
  label: string | null;
  /** The purchase that it is, or is of. */
  purchase: string | null;
  /** Id of the customer, or its reference where the id is not known. */
  customer: string | null;
  /** Reference of the subscription, or its id where the reference is not known. */
  subscription: string | null;
  /** As the subscription names it. */
  plan: string | null;
  /** Who sent a money request; null of all else, and where it is not known. */
  operator: string | null;
}

/** A document with its texts, ready to be written. */
export interface IndexedDocument extends Document {
  /** Names by which it, and what it is tied to, is found exactly; in any spelling. */
  keys: readonly (string | null | undefined)[];
  /** What else it is found by, beside its fields. */
  words: readonly (string | null | undefined)[];
  /** Names of people, found by their first letters too. */
  names: readonly (string | null | undefined)[];
}

/** Documents of one second, at the most; what comes on top is counted to the next one. */
export const DOCS_A_SECOND = 2 ** 20;

/** A document with its place in the index. */
export type FoundDocument = Document & { doc: number };
