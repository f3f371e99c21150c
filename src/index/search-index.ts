/**
 * Asking the index. This interface is all that the rest of gw knows of it; what answers is a matter of
 * the store, as with `Ledger`.
 *
 * Everything is asked in terms of documents; newest first, by when it happened.
 */
import type { Document, DocumentKind } from './document.ts';
import type { SearchScope } from './scope.ts';
import type { DocumentTotal, TotalsQuery } from './totals.ts';

/** Minor units, or a decimal such as `25.00`: so much in the currency of each. */
export type Money = number | string;

/** What is asked for; what is left out lets everything through. */
export interface SearchFilter {
  /** Kinds; none of them for all. */
  kinds?: readonly DocumentKind[] | undefined;
  /** ISO 8601: happened at this time or later. */
  since?: string | undefined;
  /** ISO 8601: happened before this time. */
  until?: string | undefined;
  /** Whose. */
  scope?: SearchScope | undefined;
  /** Name of the profile that was in use, whatever its account. */
  profile?: string | undefined;
  /** As `Document.reference`, in the same letters. */
  reference?: string | undefined;
  /** As `Document.operator`: money requests that this one sent. */
  operator?: string | undefined;
  /** As `Document.outcome`, one of several; of requests the state of their entry. */
  outcome?: string | readonly string[] | undefined;
  /** Exactly so much, whatever the sign. */
  amount?: Money | undefined;
  /** So much or more, whatever the sign. */
  min?: Money | undefined;
  /** So much or less, whatever the sign. */
  max?: Money | undefined;
}

export interface SearchQuery extends SearchFilter {
  /** Words that a document has to contain, all of them; what it is called exactly comes first. */
  text?: string | undefined;
  limit: number;
}

/** Documents of a kind are counted no further: of millions that takes longer than to find one of them. */
export const MOST_COUNTED = 10_000;

/** What the index was made of. */
export interface IndexSources {
  /** Documents of each kind that there are; a number above `countedTo` says that there are more. */
  kinds: Readonly<Partial<Record<DocumentKind, number>>>;
  countedTo: number;
  /** When the oldest and the newest document happened, ISO 8601; null where there is none. */
  oldest: string | null;
  newest: string | null;
}

export interface SearchIndex {
  /** @returns what fits: customers, then what is called exactly so, then the rest; each newest first */
  search(search: SearchQuery): Promise<Document[]>;
  /**
   * @param names ids, references, emails, tokens, full names, in any spelling
   * @returns documents that are called so, or are tied to what is; newest first
   */
  tied(names: readonly string[], filter: SearchFilter & { limit: number }): Promise<Document[]>;
  /** All that fit, oldest first; read page by page, so that any number takes the same memory. */
  each(filter: SearchFilter): AsyncIterable<Document>;
  sources(): Promise<IndexSources>;
  /** Sums of purchases, refunds, requests and charges, each counted once (totals.ts). */
  totals(query: TotalsQuery): Promise<DocumentTotal[]>;
  /** @returns the purchases that charge events of a period name */
  purchasesOfEvents(period: Pick<TotalsQuery, 'from' | 'until'>): Promise<string[]>;
  /** @returns those of the purchases that are counted for a record or a request */
  countedOf(purchases: readonly string[], scope: SearchScope): Promise<string[]>;
  /** @returns the newest charge event of each subscription that events told of */
  newestCharges(scope: SearchScope): Promise<Document[]>;
  /** About how much is still to be indexed that was left for later; 0 for nothing. */
  due(): Promise<number>;
}
