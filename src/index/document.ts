/**
 * The row of the index for one thing that gw knows: a record of the gateway as last seen, a money request that was sent
 * from here, or an object of a webhook event. It holds what people search by, the links to other things, and what is
 * summed up. The thing itself stays in its own table.
 *
 * Until the gateway was asked, anyone may have sent a delivery. So an event is a document of its own kind and never
 * becomes a record. Code that counts money decides whether it counts events.
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

/** All values of `Document.outcome`. */
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
  /** The id that other commands take: of the record (the token of a card), of the entry, or the number of the event. */
  id: string;
  /** The date of the thing itself: ISO 8601, a date or a date-time. Without one, the time when it was first seen. */
  at: string;
  /** The time of the latest information: ISO 8601, UTC. */
  seenAt: string;
  /** The fingerprint of the account; null if it is unknown. */
  account: string | null;
  profile: string | null;
  environment: string | null;
  host: string | null;
  /**
   * - purchases, refunds and cards: `approved`, `declined`, `rejected` or `unclear`;
   * - subscriptions: `active` or `stopped`;
   * - a customer that was deleted from here: `deleted`;
   * - an event: its outcome, or `contradicted` if the gateway says otherwise;
   * - a request: the state of its entry.
   */
  outcome: string | null;
  /** Minor units. A refund has the amount of its record, which the interface defines as negative. */
  amount: number | null;
  currency: string | null;
  reference: string | null;
  /** The name on the card, of the customer, or of the plan. */
  who: string | null;
  email: string | null;
  lastFour: string | null;
  /** The gateway's message: a reason, a `last_status`. */
  message: string | null;
  /** A request has its operation here, an event its name, a purchase its `source`, a subscription its frequency. */
  label: string | null;
  /** The purchase itself, or the one that it belongs to. */
  purchase: string | null;
  /** The id of the customer, or the reference if the id is unknown. */
  customer: string | null;
  /** The reference of the subscription, or the id if the reference is unknown. */
  subscription: string | null;
  /** The plan as the subscription names it. */
  plan: string | null;
  /** The operator who sent a money request; null for other documents, and if unknown. */
  operator: string | null;
}

/** A document with its texts, ready to be written. */
export interface IndexedDocument extends Document {
  /** Names by which a search finds it and its links exactly, in any spelling. */
  keys: readonly (string | null | undefined)[];
  /** Further words by which a search finds it. */
  words: readonly (string | null | undefined)[];
  /** Names of people; a search also finds them by their first letters. */
  names: readonly (string | null | undefined)[];
}

/** The most documents of one second; further ones count as of the next second. */
export const DOCS_A_SECOND = 2 ** 20;

/** A document with its place in the index. */
export type FoundDocument = Document & { doc: number };
