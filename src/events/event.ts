/** A webhook event in its forms: as delivered, as kept, and with what gw found out about it. */

import { httpDate } from '../base/text.ts';
import type { Header } from '../host/http/post-event.ts';
import type { ThingOutcome } from '../things/thing.ts';

export interface Delivery {
  /** Alternating names and values, as sent; they include credentials. */
  rawHeaders: readonly string[];
  body: Uint8Array;
  isAuthenticated: boolean;
  /** true if the body was over the limit, and is missing here. */
  isTooLong: boolean;
  /** The digest of a body that is missing. */
  digest?: string;
}

/** How the sender of a delivery proved its identity; the interface defines no signature. */
export type Authentication = 'none' | 'basic';

/** The gateway's answer to the question whether a delivery is true. */
export interface Verification {
  /** `waiting` means that the gateway has not answered yet; the event is not passed on before that. */
  state: 'verified' | 'contradicted' | 'unverified' | 'waiting';
  /** The reason in a few words; empty if there is nothing to add. */
  reason: string;
}

/**
 * How far an event is believed. Only a password or the gateway's answer confirms one; any other is hearsay. A sample is
 * what `gw trigger` sends, by a mark that makes an event count nowhere, so nobody gains by forging it.
 */
export type Trust = 'confirmed' | 'heard' | 'contradicted' | 'sample';

/** The User-Agent of a sample. */
const SAMPLE_AGENT = /^gw\/\S+ sample$/;

/** @returns whether a delivery has the mark of a sample; no gateway sends it */
export function isSample(headers: readonly Header[]): boolean {
  return headers.some(
    ([name, text]) => name.toLowerCase() === 'user-agent' && SAMPLE_AGENT.test(text),
  );
}

export function trustOf({
  headers,
  verification,
  authentication,
}: Pick<NewEvent, 'headers' | 'verification' | 'authentication'>): Trust {
  if (isSample(headers)) return 'sample';
  const { state } = verification ?? {};
  if (state === 'contradicted') return state;
  return state === 'verified' || authentication === 'basic' ? 'confirmed' : 'heard';
}

export interface NewEvent {
  /** ISO 8601, UTC. */
  receivedAt: string;
  /** The name of the profile in use, if there was one. */
  profile: string | null;
  /** X-Service-Mode as sent. */
  mode: string | null;
  /** The HTTP status of the answer. */
  status: number;
  authentication: Authentication;
  /** The name of the event; null if the body does not say. */
  event: string | null;
  outcome: ThingOutcome;
  /** The fault of a bad delivery in a few words; null for a good one. */
  fault: string | null;
  /** The source by which it is ordered: events of one source keep their order. */
  source: string;
  /** Deliveries with the same identity may be the same event. Before a space, there is the delivery's id or a date. */
  identity: string;
  /** true if the identity is never used again, false if a later event may look the same. */
  isLasting: boolean;
  /** true if a card number or a secret was masked, so that the body is not the one received. */
  isMasked: boolean;
  headers: readonly Header[];
  body: Uint8Array;
  /** The address to which it is to be passed on. */
  forwardTo: string | null;
  /** `waiting` if the gateway is to be asked first; null if nobody asks. */
  verification: Verification | null;
  /** true for an event that is in no index, and that loses its headers and body once it is passed on. */
  isTransient?: boolean;
}

export interface AppendResult {
  id: number;
  /** The id of the event that this one repeats. */
  duplicateOf: number | null;
  /** The id of an event with the same delivery's id and another body or mode. */
  differsFrom?: number | undefined;
}

export interface StoredEvent
  extends Omit<NewEvent, 'forwardTo' | 'isLasting' | 'isTransient'>,
    AppendResult {}

/** How the passing on of an event went: `refused` is one that was tried, and still waits. */
export const FORWARD_STATES = ['taken', 'refused', 'waiting', 'withheld'] as const;
export type ForwardState = (typeof FORWARD_STATES)[number];

/** Name of the profile of the test gateway. */
const LOCAL = 'local';

/**
 * An event about a card has no date of its own, so it is dated by its receipt. The clock of the test gateway may differ
 * from that by years: each of its deliveries says when the event was.
 * @returns ISO 8601, UTC
 */
export function timeOfEvent({
  profile,
  receivedAt,
  headers,
}: Pick<StoredEvent, 'profile' | 'receivedAt' | 'headers'>): string {
  if (profile !== LOCAL) return receivedAt;
  const sent = headers.find(([name]) => name.toLowerCase() === 'date')?.[1];
  const at = httpDate(sent ?? '');
  return at === undefined ? receivedAt : new Date(at).toISOString();
}
