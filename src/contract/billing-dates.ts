/** The limits of recurring charges, and the dates of a subscription. */
import type { Json, JsonObject } from '../base/json.ts';
import { textOrNull } from '../base/text.ts';

/** Retries of one charge, one a day (section 8). */
export const MAX_RETRIES = 3;

/** Days of a subscription by the gateway's own dates, `YYYY-MM-DD`; null if the record does not say. */
export interface BillingDates {
  start: string | null;
  end: string | null;
  next: string | null;
}

export function billingDatesOf(record: JsonObject): BillingDates {
  return {
    start: dayIn(record.start_date),
    end: dayIn(record.end_date),
    next: dayIn(record.next_billing_date),
  };
}

function dayIn(value: Json | undefined): string | null {
  const text = textOrNull(value)?.slice(0, 'YYYY-MM-DD'.length) ?? '';
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;
}
