/**
 * What is known of one thing, by who told it. Joining a source keeps the newest of each kind, or adds to a list. So the
 * order in which sources are learnt does not matter, nor how often.
 */
import type { JsonObject } from '../base/json.ts';
import type { BillingDates } from '../contract/billing-dates.ts';
import type { Document } from './document.ts';

type ToldField =
  | 'at'
  | 'profile'
  | 'environment'
  | 'host'
  | 'outcome'
  | 'amount'
  | 'currency'
  | 'reference'
  | 'who'
  | 'email'
  | 'lastFour'
  | 'message'
  | 'label'
  | 'purchase'
  | 'customer'
  | 'subscription'
  | 'plan'
  | 'token'
  | 'operator';

/** What one source says of a thing; null or left out if it does not say. */
export interface Told extends Partial<Pick<Document, ToldField>> {
  /** When gw learnt it: ISO 8601, UTC. */
  seenAt: string;
  /** Of a subscription. */
  dates?: BillingDates;
  /** The last valid month of the card, `YYYY-MM`. */
  cardExpiry?: string | null;
  /** Further names that find it exactly. */
  keys?: readonly string[];
  /** Further words that find it. */
  words?: readonly string[];
}

/** What an event says of a thing. */
export interface ToldByEvent extends Told {
  /** The number of the event. */
  event: number;
  /** The gateway's date of what happened, ISO 8601; null if the event has none. */
  date: string | null;
  /** true for a charge that is only announced, which says less than the charge itself. */
  isPending: boolean;
  /** The record in the event, in normal form. */
  record: JsonObject;
}

/** An event said that the card of a customer has expired, or will. */
export interface CardNotice {
  event: number;
  outcome: 'expiring' | 'expired';
  /** When the event was received: ISO 8601, UTC. */
  seenAt: string;
}

export interface Sources {
  record?: Told;
  /** The newest event that tells of it. */
  event?: ToldByEvent;
  notice?: CardNotice;
  /** The requests of the journal that made it, by their entries' ids. */
  requests: Readonly<Record<string, Told>>;
  /** The numbers of all events that tell of it, in order. */
  events: readonly number[];
}

export const NO_SOURCES: Sources = { requests: {}, events: [] };

/** @param told the record as last seen; undefined if it is gone */
export function withRecord({ record: _, ...others }: Sources, told: Told | undefined): Sources {
  return told ? { ...others, record: told } : others;
}

/** @param told what the entry says now; undefined if it is gone, or tells of something else */
export function withRequest(sources: Sources, entry: string, told: Told | undefined): Sources {
  const { [entry]: _, ...others } = sources.requests;
  return { ...sources, requests: told ? { ...others, [entry]: told } : others };
}

/** What an event says of one thing: its records, or a notice about a card. */
export type EventNews = { told: ToldByEvent } | { notice: CardNotice };

export function withEvent(sources: Sources, news: EventNews): Sources {
  if ('notice' in news) {
    const { notice } = news;
    const isNewer = (sources.notice?.event ?? 0) <= notice.event;
    const listed = withNumber(sources, notice.event);
    return isNewer ? { ...listed, notice } : listed;
  }
  const { told } = news;
  const listed = withNumber(sources, told.event);
  return sources.event && compareNews(sources.event, told) > 0
    ? listed
    : { ...listed, event: told };
}

/** @returns what is known without any event */
export function withoutEvents({ record, requests }: Sources): Sources {
  return { ...(record && { record }), requests, events: [] };
}

/** @returns what two rows know, which turned out to be one thing */
export function joined(one: Sources, other: Sources): Sources {
  let both: Sources = { ...one, requests: { ...other.requests, ...one.requests } };
  const record = one.record ?? other.record;
  if (record) both = { ...both, record };
  for (const number of other.events) both = withNumber(both, number);
  if (other.event) both = withEvent(both, { told: other.event });
  return other.notice ? withEvent(both, { notice: other.notice }) : both;
}

export function isEmpty({ record, requests, events }: Sources): boolean {
  return !record && events.length === 0 && Object.keys(requests).length === 0;
}

/** A charge says more than its announcement. The later date counts, then the later delivery. */
function compareNews(one: ToldByEvent, other: ToldByEvent): number {
  return (
    Number(other.isPending) - Number(one.isPending) ||
    Date.parse(one.date ?? one.seenAt) - Date.parse(other.date ?? other.seenAt) ||
    one.event - other.event
  );
}

function withNumber(sources: Sources, number: number): Sources {
  const { events } = sources;
  if (events.includes(number)) return sources;
  return { ...sources, events: [...events, number].sort((one, other) => one - other) };
}
