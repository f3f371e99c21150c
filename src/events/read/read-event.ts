/** A delivery as the event to keep: what was received, and what its listener was told to do with it. */
import { SERVICE_MODE_HEADER } from '../../contract/webhooks/names.ts';
import type { Header } from '../../host/http/post-event.ts';
import { redactHeader, redactText } from '../../host/redaction/redact.ts';
import type { Arrival, NewEvent, ReadingRules, Verification } from '../event.ts';
import { type DeliveryContent, readDelivery, unreadableContent } from './read-delivery.ts';

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

/** Senders have the same few again and again. Those that were changed are not remembered. */
const UNCHANGED = new Map<string, Header>();
const MAX_UNCHANGED = 1_000;
const MAX_LENGTH = 200;

/**
 * The headers of a delivery as they are kept: as sent, in their order; a credential never is.
 * @param rawHeaders names and values in turn, as `IncomingMessage.rawHeaders` has them
 */
export function keptHeaders(rawHeaders: readonly string[]): Header[] {
  const headers: Header[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    headers.push(keptHeader(rawHeaders[i] as string, rawHeaders[i + 1] as string));
  }
  return headers;
}

function keptHeader(name: string, value: string): Header {
  // No header has a line end in it.
  const key = `${name}\n${value}`;
  const unchanged = UNCHANGED.get(key);
  if (unchanged) return unchanged;
  const header: Header = [redactText(name), redactHeader(name, value)];
  const isUnchanged = header[0] === name && header[1] === value;
  if (isUnchanged && key.length <= MAX_LENGTH && UNCHANGED.size < MAX_UNCHANGED) {
    UNCHANGED.set(key, header);
  }
  return header;
}
