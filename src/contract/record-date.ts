/** Finds out when the event behind a record happened. */
import type { JsonObject } from '../base/json.ts';
import { textOrNull } from '../base/text.ts';

/** @returns the record's own date if it has one, else when it was first seen: ISO 8601, a date or a date-time */
export function dateOf({
  record,
  firstSeenAt,
}: {
  record: JsonObject;
  firstSeenAt: string;
}): string {
  const date = textOrNull(record.transaction_date) ?? textOrNull(record.created_at);
  return date !== null && !Number.isNaN(Date.parse(date)) ? date : firstSeenAt;
}
