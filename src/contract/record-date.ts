/** When what a record is of happened. */
import type { JsonObject } from '../base/json.ts';
import { textOrNull } from '../base/text.ts';

/** @returns when it happened, by its own date where it says one: ISO 8601, a date or a date-time */
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
