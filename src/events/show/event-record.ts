/** A received event with what its body says, and with all of it as a record. */
import type { JsonObject } from '../../base/json.ts';
import type { StoredEvent } from '../event.ts';
import { readDelivery } from '../read/read-delivery.ts';
import { EVENT_VIEW, type ShownEvent } from './event-view.ts';

export function shown(event: StoredEvent): ShownEvent {
  return { event, content: readDelivery(event.body) };
}

/** @returns the event with its headers, and its payload or, of a bad delivery, its body as text */
export function wholeRecord(shown: ShownEvent): JsonObject {
  const { event, content } = shown;
  return {
    ...EVENT_VIEW.record(shown),
    headers: headersOf(event),
    payload: content.payload,
    body: content.kept.fault === null ? null : Buffer.from(content.kept.body).toString('utf8'),
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
