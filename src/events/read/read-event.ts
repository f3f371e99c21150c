/** Turns a delivery into the event to keep: its content, and how its listener treats it. */

import { maskCardNumbers } from '../../contract/cards/find-card-numbers.ts';
import { DELIVERY_HEADER, SERVICE_MODE_HEADER } from '../../contract/webhooks/names.ts';
import { sha256 } from '../../host/digest.ts';
import type { Header } from '../../host/http/post-event.ts';
import { redactHeader } from '../../host/redaction/redact.ts';
import { type Delivery, isSample, type NewEvent, type Verification } from '../event.ts';
import { type DeliveryContent, hashOf, readDelivery, unreadableContent } from './read-delivery.ts';

export const NOT_ASKED: Verification = {
  state: 'waiting',
  reason: 'the gateway has not been asked yet',
};

/** The rules by which a listener treats deliveries. */
export interface ReadingRules {
  /** The current time: ISO 8601, UTC. */
  receivedAt: string;
  /** The name of the profile in use. */
  profile: string | null;
  /** The status of the answer to a good delivery. */
  respond: number;
  /** The address to which events are passed on. */
  forwardTo: string | null;
  /** Whether to ask the gateway about each event that is printed. */
  isConfirming: boolean;
  /** Whether events of this name are printed and passed on. */
  isShown(event: string): boolean;
}

export function readEvent(
  { body, rawHeaders, isAuthenticated, isTooLong, digest }: Delivery,
  { receivedAt, profile, respond, forwardTo: target, isConfirming, isShown }: ReadingRules,
): { event: NewEvent; content: DeliveryContent } {
  const content = isTooLong
    ? unreadableContent(body, 'the body is over 1 MiB')
    : readDelivery(body);
  const { kept } = content;
  const headers = keptHeaders(rawHeaders);
  const name = kept.fault === null ? kept.event : null;
  const isWanted = name !== null && isShown(name);
  const forwardTo = isWanted ? target : null;
  const mode = sentIn(headers, SERVICE_MODE_HEADER);
  const deliveryId = sentIn(headers, DELIVERY_HEADER) || null;
  // An event of another profile or mode hides none, and neither does a sample, which is no event.
  const said = [digest ?? kept.identity, deliveryId, profile, mode, isSample(headers)];
  const [date] = kept.identity.split(' ', 1);
  const place = deliveryId ? `#${hashOf(JSON.stringify([deliveryId, profile]))}` : date;
  // Copies each field by name: a spread would take as long as reading the delivery.
  const event: NewEvent = {
    event: kept.event,
    fault: kept.fault,
    outcome: kept.outcome,
    source: kept.source,
    identity: `${place} ${hashOf(JSON.stringify(said))}`,
    isLasting: kept.isLasting || deliveryId !== null,
    isMasked: kept.isMasked,
    body: kept.body,
    receivedAt,
    profile,
    mode,
    status: name !== null ? respond : isTooLong ? 413 : 400,
    authentication: isAuthenticated ? 'basic' : 'none',
    headers,
    forwardTo,
    verification: isWanted && isConfirming ? NOT_ASKED : null,
  };
  return { event, content };
}

/** A header that occurs twice yields both values, because a receiver may use either. */
function sentIn(headers: readonly Header[], wanted: string): string | null {
  const sent = headers.filter(([name]) => name.toLowerCase() === wanted.toLowerCase());
  return sent.length > 0 ? [...new Set(sent.map(([, value]) => value))].join(', ') : null;
}

/**
 * The headers of a delivery as they are kept: as sent, in their order, without credentials.
 * @param rawHeaders alternating names and values, like `IncomingMessage.rawHeaders`
 */
export function keptHeaders(rawHeaders: readonly string[]): Header[] {
  const headers: Header[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    headers.push([maskCardNumbers(name), redactHeader(name, rawHeaders[i + 1]!)]);
  }
  return headers;
}

/**
 * An event for a profile that remembers nothing (`gw profile set NAME --no-remember`). It is complete while it waits to
 * be passed on. After that it only serves to recognise a repetition, and says nothing about a person. Its source may be
 * a customer's email, so it is kept as a digest.
 */
export function transientEvent(event: NewEvent): NewEvent {
  const source = sha256(event.source, 'base64url').slice(0, 22);
  const bare = { ...event, source: `digest ${source}`, isTransient: true };
  return event.forwardTo === null ? { ...bare, headers: [], body: new Uint8Array() } : bare;
}
