/** The limits of recurring charges. Reads the dates of a subscription, and the month in which a card ends. */
import type { Json, JsonObject } from '../base/json.ts';
import { textOrNull } from '../base/text.ts';
import { isoMonth, parseExpiry } from './expiry.ts';

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

/** @returns the last valid month of the record's card, `YYYY-MM`; null if the record does not say */
export function cardExpiryOf(record: JsonObject): string | null {
  const expiry = parseExpiry(textOrNull(record.card_expiry) ?? '');
  return expiry ? isoMonth(expiry) : null;
}

/** @returns what a payment shows of its card: first and last digits, expiry and holder; null if one is missing */
export function shownCardOf(record: JsonObject): string | null {
  const digits = /^(\d{6})\D+(\d{4})$/.exec(
    textOrNull(record.card_number)?.replace(/[ -]/g, '') ?? '',
  );
  const [expiry, holder] = [cardExpiryOf(record), textOrNull(record.card_holder)];
  if (!digits || expiry === null || holder === null) return null;
  return [digits[1], digits[2], expiry, holder.trim().toLowerCase()].join(' ');
}

function dayIn(value: Json | undefined): string | null {
  const text = textOrNull(value)?.slice(0, 'YYYY-MM-DD'.length) ?? '';
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;
}
