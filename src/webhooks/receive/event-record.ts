/** A received event as the record that every format prints. */
import type { JsonObject } from '../../base/json.ts';
import type { StoredEvent } from '../../events/event-store.ts';
import { type DeliveryContent, readDelivery } from './delivery-content.ts';

/** An event together with what its body says. */
export interface ShownEvent {
  event: StoredEvent;
  content: DeliveryContent;
}

export function shown(event: StoredEvent): ShownEvent {
  return { event, content: readDelivery(event.body) };
}

/** @returns the event without its headers and body; amounts in minor units */
export function eventRecord({ event, content }: ShownEvent): JsonObject {
  const { purchase, subscription, customer } = content;
  return {
    id: String(event.id),
    received_at: event.receivedAt,
    mode: event.mode,
    event: event.event,
    outcome: event.outcome,
    message: content.message,
    who: content.who,
    customer: customer?.id ?? customer?.reference ?? null,
    subscription: subscription?.id ?? null,
    reference: subscription?.reference ?? null,
    purchase: purchase?.id ?? null,
    amount: purchase?.amount ?? null,
    decimal_amount: purchase?.decimal_amount ?? null,
    currency: purchase?.currency ?? null,
    elements: content.elements,
    authentication: event.authentication,
    verification: event.verification?.state ?? null,
    verification_reason: event.verification?.reason || null,
    duplicate_of: event.duplicateOf === null ? null : String(event.duplicateOf),
    fault: event.fault,
    status: event.status,
    masked: event.isMasked,
    profile: event.profile,
  };
}

/** @returns the event with its headers, and its payload or, of a bad delivery, its body as text */
export function wholeRecord(shown: ShownEvent): JsonObject {
  const { event, content } = shown;
  return {
    ...eventRecord(shown),
    headers: headersOf(event),
    payload: content.payload,
    body: content.kept.fault === null ? null : Buffer.from(event.body).toString('utf8'),
  };
}

/** A header that was sent several times is one, as HTTP has it (RFC 9110, 5.3). */
function headersOf({ headers }: StoredEvent): JsonObject {
  const joined = new Map<string, string>();
  for (const [name, value] of headers) {
    const earlier = joined.get(name);
    joined.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return Object.fromEntries(joined);
}
