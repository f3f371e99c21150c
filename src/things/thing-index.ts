/**
 * The interface for questions to the table of things. The rest of gw knows only this interface. The store implements
 * it, as with `Ledger`.
 *
 * Questions and answers are things, the newest first by their date.
 *
 * Tests: test/unit/things/index.test.ts
 */

import type { Owner } from './owner.ts';
import type { Days } from './subscription-state.ts';
import type { Thing, ThingKind } from './thing.ts';
import type { CardExpiry, ChargedDay, NewestCharge, ThingTotal, TotalsQuery } from './totals.ts';

/** Money as people write it, `25` or `25.00`: that amount in each thing's own currency, whatever its decimals. */
export type MoneyCondition = string;

/** Conditions of an amount; one that is left out matches everything. */
export interface AmountFilter {
  /** Exactly this amount, with any sign. */
  amount?: MoneyCondition | undefined;
  /** At least this amount, with any sign. */
  min?: MoneyCondition | undefined;
  /** At most this amount, with any sign. */
  max?: MoneyCondition | undefined;
}

/** Conditions of a search; one that is left out matches everything. */
export interface SearchFilter extends AmountFilter {
  /** Kinds; empty for all. */
  kinds?: readonly ThingKind[] | undefined;
  /** ISO 8601: at this time or later. */
  since?: string | undefined;
  /** ISO 8601: before this time. */
  until?: string | undefined;
  /** The account and environment. */
  scope?: Owner | undefined;
  /** The name of the profile that was in use, for any account. */
  profile?: string | undefined;
  /** `Thing.plan`, one of these: a subscription and its charges name it by its id, or by its reference. */
  plans?: readonly string[] | undefined;
  /** `Thing.reference`, exactly as spelled. */
  reference?: string | undefined;
  /** `Thing.operator`: only money requests of this operator. */
  operator?: string | undefined;
  /** true for things that requests of the journal made, and for those requests. */
  isSent?: boolean | undefined;
  /** `Thing.outcome`, or one of several; for a request, the state of its entry. */
  outcome?: string | readonly string[] | undefined;
  /** The day on which a subscription is active or ended; without it, none is ended. */
  days?: Days | undefined;
  /** `Thing.told`, one of these. */
  told?: readonly Thing['told'][] | undefined;
  /** true for things of which an event tells, whatever else does. */
  isOfEvents?: boolean | undefined;
  /**
   * The part of `sources` that is asked for, if not all: nothing, or the card that paid, for which no more than a record
   * is read, if that shows it.
   */
  needs?: 'nothing' | 'card' | undefined;
}

export interface SearchQuery extends SearchFilter {
  /** Words that a thing must all contain; things with exactly this name come first. */
  text?: string | undefined;
  limit: number;
}

/** The highest count for things of a kind: counting millions takes longer than finding one of them. */
export const MOST_COUNTED = 10_000;

/** A summary of the table. */
export interface IndexSources {
  /** The number of things of each kind; a number above `countedTo` means that there are more. */
  kinds: Readonly<Partial<Record<ThingKind, number>>>;
  countedTo: number;
  /** The date of the oldest payment, refund or request, ISO 8601; null if there is none. Customers may be far older. */
  oldest: string | null;
}

export interface SearchIndex {
  /** @returns the matches: customers, then things with exactly this name, then the rest; each newest first */
  search(search: SearchQuery): Promise<Thing[]>;
  /**
   * @param names ids, references, emails, tokens, full names, in any spelling
   * @returns things with one of these names, or linked to one; newest first
   */
  tied(names: readonly string[], filter: SearchFilter & { limit: number }): Promise<Thing[]>;
  /** All matches, oldest first. They are read page by page, so any number takes the same memory. */
  each(filter: SearchFilter): AsyncIterable<Thing>;
  /** @param keys at most a few thousand (src/things/words.ts) @returns those that some thing has, in their order */
  known(keys: readonly string[]): Promise<string[]>;
  /** @param beginnings of keys @returns the keys that begin with one of them, each once, in no order; of too many, some */
  keysFrom(beginnings: readonly string[]): Promise<string[]>;
  sources(): Promise<IndexSources>;
  /** Sums of purchases, refunds, requests and charges (totals.ts). */
  totals(query: TotalsQuery): Promise<ThingTotal[]>;
  /** @returns the days on which subscriptions were charged, or a charge was declined; in no order */
  chargedDays(scope: Owner, time: Pick<TotalsQuery, 'from' | 'until'>): Promise<ChargedDay[]>;
  /** @returns the newest charge of each subscription, oldest first */
  newestCharges(scope: Owner): Promise<NewestCharge[]>;
  /** @returns the expiries of cards with these tokens, as far as one is known; in no order */
  cardExpiries(tokens: readonly string[], scope?: Owner): Promise<CardExpiry[]>;
  /** About how many things are still to be learnt; 0 if none is. */
  due(): Promise<number>;
}
