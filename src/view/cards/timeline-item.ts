/** What a timeline shows: something that happened, and where gw knows it from. */
import type { Document } from '../../index/document.ts';

export interface Item extends Pick<Document, 'at' | 'amount' | 'seenAt' | DocumentField | Tied> {
  what: ItemKind;
  /**
   * Of money `approved`, `declined`, `unclear`, `unknown` (it may have happened), or the state of a
   * request that came to nothing; else as the document has it.
   */
  outcome: string | null;
  /** Of the record; null where there is none. */
  id: string | null;
  /** Number of the retry, from 1; 0 for what is none. */
  retry: number;
  /** true for what moves money, or was to. */
  isMoney: boolean;
  isRefund: boolean;
  sources: Source[];
}

/** Where an item is known from: a record as it was seen last, an entry of the journal, an event. */
export interface Source {
  kind: 'record' | 'request' | 'event';
  id: string;
}

export type ItemKind =
  | 'purchase'
  | 'charge'
  | 'retry'
  | 'refund'
  | 'announced'
  | 'card'
  | 'card-expiring'
  | 'card-expired'
  | 'customer'
  | 'subscription'
  | 'plan'
  | 'request'
  | 'event';

/** What the index says of a thing in the same words. */
export type DocumentField =
  | 'currency'
  | 'reference'
  | 'who'
  | 'lastFour'
  | 'message'
  | 'label'
  | 'operator';

export type Tied = 'purchase' | 'customer' | 'subscription' | 'plan' | 'profile' | 'environment';
