/** An item of a timeline: something that happened, and the sources that say so. */
import type { Thing } from '../../things/thing.ts';

/** It has the fields of its thing. */
export interface Item extends Omit<Thing, 'kind' | 'id' | 'told' | 'sources'> {
  what: ItemKind;
  /**
   * For money: `approved`, `declined`, `unclear`, `unknown` (it may have happened), or the state of a request that did
   * not succeed. Otherwise the thing's outcome.
   */
  outcome: string | null;
  /** The id of the record; null if there is none. */
  id: string | null;
  /** The number of the retry, from 1; 0 if the charge is no retry. */
  retry: number;
  /** true if money moved, or was to move. */
  isMoney: boolean;
  isRefund: boolean;
  sources: Source[];
}

/** A source of an item: a record as last seen, an entry of the journal, an event. */
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
  | 'deed'
  | 'event';
