/** A delivery as the event to keep: what was received, and what its listener was told to do with it. */
import { SERVICE_MODE_HEADER } from '../../contract/webhooks/names.ts';
import type { Delivery } from '../receive/receiver.ts';
import type { TextForm } from '../show/event-text.ts';
import type { NewEvent, Verification } from '../store/event-store.ts';
import { keptHeaders } from './kept-headers.ts';
import { type DeliveryContent, readDelivery, unreadableContent } from './read-delivery.ts';

/** A delivery with the time at which it came: ISO 8601, UTC. */
export interface Arrival extends Delivery {
  receivedAt: string;
}

/** What a listener wants of a delivery; a value that can be handed to a thread. */
export interface ReadingRules {
  /** Name of the profile in use. */
  profile: string | null;
  /** Status of the answer to a good delivery. */
  respond: number;
  /** Patterns of the events that are printed and passed on; none for all. */
  events: readonly string[];
  /** Where events are passed on to. */
  forwardTo: string | null;
  /** Whether the gateway is asked before an event is passed on. */
  isConfirming: boolean;
  /** false keeps events no longer than they wait to be passed on. */
  isRemembering: boolean;
  /** The X-Service-Mode that fits the profile; none to compare with where there is no profile. */
  mode: 'Live' | 'Sandbox' | undefined;
  /** How the text of an event is made; undefined where that is not known before it is printed. */
  form: TextForm | undefined;
}

export const NOT_ASKED: Verification = {
  state: 'waiting',
  reason: 'the gateway has not been asked yet',
};

const SERVICE_MODE = SERVICE_MODE_HEADER.toLowerCase();

/** @param isShown whether events of a name are printed and passed on */
export function readEvent(
  arrival: Arrival,
  rules: ReadingRules,
  isShown: (event: string) => boolean,
): { event: NewEvent; content: DeliveryContent } {
  const { body, isTooLong } = arrival;
  const content = isTooLong
    ? unreadableContent(body, 'the body is over 1 MiB')
    : readDelivery(body);
  const { kept } = content;
  const headers = keptHeaders(arrival.rawHeaders);
  const name = kept.fault === null ? kept.event : null;
  // One that comes twice is both: whoever gets the event may go by either.
  const modes = headers.filter(([header]) => header.toLowerCase() === SERVICE_MODE);
  const mode = [...new Set(modes.map(([, value]) => value))].join(', ');
  const forwardTo = name !== null && isShown(name) ? rules.forwardTo : null;
  // Each by its name: to spread them takes two thirds of the time that reading the delivery does.
  const event: NewEvent = {
    event: kept.event,
    fault: kept.fault,
    outcome: kept.outcome,
    subjects: kept.subjects,
    customers: kept.customers,
    source: kept.source,
    identity: kept.identity,
    isLasting: kept.isLasting,
    isMasked: kept.isMasked,
    body: kept.body,
    receivedAt: arrival.receivedAt,
    profile: rules.profile,
    mode: modes.length > 0 ? mode : null,
    status: name !== null ? rules.respond : isTooLong ? 413 : 400,
    authentication: arrival.isAuthenticated ? 'basic' : 'none',
    headers,
    forwardTo,
    verification: forwardTo !== null && rules.isConfirming ? NOT_ASKED : null,
  };
  return { event, content };
}
