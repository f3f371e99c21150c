/**
 * One row for each purchase, refund, customer, plan, subscription and card of an account, whoever told of it: a record
 * of the gateway, a money request that was sent from here, or a webhook. The row holds what people search by, the links
 * to other things, and what is summed up.
 *
 * A request that led to no record has a row of its own, and so has an event that names no record, is a sample, or is
 * contradicted by the gateway.
 *
 * The table can be written again from its sources: records as last seen, the journal, and the events received. So the
 * guard against refunding too much never reads it: anyone may have sent a webhook.
 *
 * Tests: test/unit/things/write.test.ts
 */

import type { BillingDates } from '../contract/billing-dates.ts';
import type { RecordKind } from '../contract/record.ts';
import type { Deed } from './deed.ts';
import type { Owner } from './owner.ts';

export const THING_KINDS = [
  ...(['purchase', 'refund', 'plan', 'customer', 'subscription', 'card'] as const),
  ...(['request', 'event'] as const),
] satisfies readonly (RecordKind | 'request' | 'event')[];
export type ThingKind = (typeof THING_KINDS)[number];

/** Kinds of which events tell again and again. */
export const LASTING: readonly ThingKind[] = ['customer', 'subscription', 'plan', 'card'];

/** All values of `Thing.outcome`. */
export const THING_OUTCOMES = [
  'approved',
  'declined',
  'authorised',
  'voided',
  'unclear',
  'active',
  'ended',
  'stopped',
  'deleted',
  'sending',
  'done',
  'rejected',
  'not-sent',
  'not-done',
  'unknown',
  'proposed',
  'released',
  'withdrawn',
  'pending',
  'abandoned',
  'expiring',
  'expired',
  'bad',
  'contradicted',
  'sample',
] as const;
export type ThingOutcome = (typeof THING_OUTCOMES)[number];

export interface Thing extends Owner {
  kind: ThingKind;
  /** The id that other commands take: of the record (the token of a card), of the entry, or the number of the event. */
  id: string;
  /**
   * The date of the thing itself: ISO 8601, a date or a date-time. Without a record, that of a charge as its event says.
   * Of lasting things, such as customers, the first date that is known; of a subscription, its first day.
   */
  at: string;
  /** The time of the latest information: ISO 8601, UTC. */
  seenAt: string;
  /**
   * - purchases, refunds and cards: `approved`, `declined`, `voided`, `rejected` or `unclear`; a charge that was given up after
   *   its retries is `abandoned`, and a card of which a webhook says so is `expiring` or `expired`;
   * - subscriptions: `active`, or `stopped`, also by its customer; `ended` where the day is known, and never in the table
   *   (src/things/subscription-state.ts);
   * - a customer that was deleted from here: `deleted`; one of whose card a webhook says so: `expiring` or `expired`;
   * - an event: its outcome, `contradicted` if the gateway says otherwise, or `sample` if `gw trigger` sent it;
   * - a request: the state of its entry.
   */
  outcome: ThingOutcome | null;
  /** Minor units. The amount of a refund is negative (section 2.4), that of a subscription is its plan's. */
  amount: number | null;
  currency: string | null;
  reference: string | null;
  /** The name of the customer, on the card, or of the plan. */
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
  /** The token of the card that paid, or that a customer has. */
  token: string | null;
  /** The operator who sent the request that made it; null if nobody here did, or if unknown. */
  operator: string | null;
  /** The last note of a person about it. */
  note: string | null;
  /** The last day of a subscription, `YYYY-MM-DD`; null if it has none, and for all else. */
  endsOn: string | null;
  /** The best source: a record before an event before a request. `heard` if hearsay alone tells of it. */
  told: 'record' | 'event' | 'request' | 'heard';
  sources: Sources;
}

export type ThingField = Exclude<
  keyof Thing,
  'kind' | 'id' | 'seenAt' | 'account' | 'told' | 'sources'
>;

/** The values that one source has for a thing; null or left out if it has none. */
export interface SourceValues extends Partial<Pick<Thing, ThingField>> {
  /** When gw learnt it: ISO 8601, UTC. */
  seenAt: string;
  /** Only subscriptions have it. */
  dates?: BillingDates;
  /** The last valid month of the card, `YYYY-MM`. */
  cardExpiry?: string | null;
  /** The card that paid (`shownCardOf`). */
  card?: string | null;
  /** The day on which the gateway settled a payment or refund (`settlement_date`, section 2.3), as it says. */
  settledOn?: string | null;
  /** The tokens of the cards that a customer had. */
  formerTokens?: readonly string[];
  /** Changes that people made to a record, the oldest first. */
  deeds?: readonly Deed[];
  /** Further names that find it exactly. */
  keys?: readonly string[];
  /** Further words that find it. */
  words?: readonly string[];
}

/** The values that an event has for a thing. */
export interface EventValues extends SourceValues {
  /** The number of the event. */
  event: number;
  /** The gateway's date of what happened, ISO 8601; null if the event has none. */
  date?: string | null;
  /** true for a charge that is only announced, which says less than the charge itself. */
  isPending: boolean;
}

/** An event said that the card of a customer has expired, or will. */
export interface CardNotice {
  event: number;
  outcome: 'expiring' | 'expired';
  /** When the event was received: ISO 8601, UTC. */
  seenAt: string;
  /** When it happened, by the clock of the gateway: ISO 8601, UTC. */
  at: string;
  profile: string | null;
  environment: string | null;
  /** true for hearsay. */
  isHeard?: true;
}

/** A customer stops its subscriptions, unless they are seen active later. */
export interface CustomerStop {
  cause: 'customer deleted' | 'card expired';
  /** When gw learnt it: ISO 8601, UTC. */
  seenAt: string;
  /** The day, `YYYY-MM-DD`, by the clock of the gateway; left out in rows of earlier versions. */
  on?: string;
}

export interface Sources {
  record?: SourceValues;
  /** The newest confirmed event that tells of it. */
  event?: EventValues;
  /**
   * Hearsay: the newest event that nobody confirmed, so anyone may have sent it. It tells of a thing of which nothing
   * else does, and is never a reason to change a record (src/requests/known/proven.ts).
   */
  heard?: EventValues;
  notice?: CardNotice;
  /** How a customer stops its subscriptions; a subscription has that of its customer. */
  stop?: CustomerStop;
  /** The requests of the journal that made it, by their entries' ids. */
  requests: Readonly<Record<string, SourceValues>>;
  /** The numbers of all events that tell of it, in order. */
  events: readonly number[];
  /** Those of these that are hearsay; left out if there are none. */
  heardEvents?: readonly number[];
  /** The date in the first of these; left out while it is not known. */
  since?: string | undefined;
}

/** The sources of a thing as its row names them (src/things/read-sources.ts). A list that is left out is empty. */
export interface SourceIds {
  /** Entries of the journal. */
  requests?: readonly string[] | undefined;
  events?: readonly number[] | undefined;
  heardEvents?: readonly number[] | undefined;
  /** The events whose values the row shows; left out if all do. */
  deciding?: readonly number[] | undefined;
  /** The only value that is kept here: that of a subscription is its customer's. */
  stop?: CustomerStop | undefined;
}

/** A thing with all names by which others are linked to it. */
export interface LinkedThing extends Thing {
  /** The tokens of the cards that a customer had: what was paid with them is the customer's. Others have none. */
  formerTokens: readonly string[];
}

/** A thing with the texts that find it beside those of its columns (src/things/words.ts). */
export interface IndexedThing extends LinkedThing {
  /** Further names by which a search finds it exactly, in any spelling. */
  keys: readonly string[];
  /** Further words by which a search finds it. */
  words: readonly string[];
  /** Further names of people; a search also finds them by their first letters. */
  names: readonly string[];
}

/** The most things of one second; further ones count as of the next second. So SQLite stores a `doc` in six bytes. */
export const DOCS_A_SECOND = 2 ** 14;

/** A row of the table; its sources are JSON of `SourceIds`, and `texts` is from `textsOf`. */
export type ThingRow = Omit<Thing, 'sources'> & {
  doc: number;
  sources: string;
  texts: string | null;
};
