/**
 * Reads and writes card expiries in every form, of texts and of records, and says what state a card is in.
 *
 * Tests: test/unit/contract/resources/card.test.ts, test/scripts/commands/card-expiry.script
 */
import { addDays, daysInMonth } from '../base/calendar.ts';
import type { JsonObject } from '../base/json.ts';
import { textOrNull } from '../base/text.ts';
import { invariant } from '../failure.ts';

/** The days before the expiry of a card in which it counts as expiring (section 8). */
const NOTICE_DAYS = 30;

export interface Expiry {
  year: number;
  /** 1 to 12 */
  month: number;
}

/**
 * Reads a card expiry in any written form: `MM/YYYY` as sent, or an ISO 8601 date or date-time with offset as returned
 * (section 2.2). The written month counts; no time zone is applied.
 */
export function parseExpiry(value: string): Expiry | undefined {
  const sent = /^(\d{2})\/(\d{4})$/.exec(value);
  const returned = /^(\d{4})-(\d{2})(?:-\d{2}(?:[T ].*)?)?$/.exec(value);
  const [month, year] = sent ? [sent[1], sent[2]] : returned ? [returned[2], returned[1]] : [];
  const expiry = { year: Number(year), month: Number(month) };
  return expiry.month >= 1 && expiry.month <= 12 ? expiry : undefined;
}

/**
 * Reads a card expiry as people type it, month first: `05/28`, `5/2028`, `0528`, `052028`, `05-2028`, `05 28`. A
 * two-digit year belongs to this century.
 */
export function parseTypedExpiry(text: string): Expiry | undefined {
  const [, month, year = ''] =
    /^(\d{1,2})(?: ?[/.-] ?| )(\d{2}|\d{4})$/.exec(text.replace(/\s+/g, ' ')) ??
    /^(\d{2})(\d{2}|\d{4})$/.exec(text) ??
    [];
  const expiry = { year: Number(year) + (year.length === 2 ? 2000 : 0), month: Number(month) };
  return expiry.month >= 1 && expiry.month <= 12 ? expiry : undefined;
}

/** @returns a typed expiry as `MM/YYYY`; any other text unchanged, so that the later check refuses it */
export function sentExpiry(text: string): string {
  const expiry = parseTypedExpiry(text.trim());
  return expiry ? formatExpiry(expiry) : text;
}

export function formatExpiry({ year, month }: Expiry): string {
  return `${String(month).padStart(2, '0')}/${String(year).padStart(4, '0')}`;
}

/** @returns the month, `YYYY-MM` */
export function isoMonth({ year, month }: Expiry): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
}

/** @param expiry `YYYY-MM`, or null if it is not known @returns the same as records have it, `MM/YYYY` */
export function recordedExpiry(expiry: string | null): string | null {
  const parsed = parseExpiry(expiry ?? '');
  return parsed ? formatExpiry(parsed) : null;
}

/** @param expiry last valid month of a card, `YYYY-MM` @returns the last day of that month */
export function lastValidDay(expiry: string): string {
  const parsed = parseExpiry(expiry);
  invariant(parsed, `a stored card that expires in ${expiry}`);
  return `${expiry}-${daysInMonth(parsed.year, parsed.month)}`;
}

/** @param expiry `YYYY-MM` @returns the first day on which a card with this expiry counts as about to expire */
export function firstExpiringDay(expiry: string): string {
  return addDays(lastValidDay(expiry), -NOTICE_DAYS);
}

/**
 * @param expiry last valid month of the card, `YYYY-MM`
 * @param day `YYYY-MM-DD` by the clock that judges the card
 */
export function isExpired(expiry: string, day: string): boolean {
  return day.slice(0, expiry.length) > expiry;
}

/** The state of a card by its expiry. @see isExpired for the parameters */
export function cardState(expiry: string, day: string): 'valid' | 'expiring' | 'expired' {
  if (isExpired(expiry, day)) return 'expired';
  return day < firstExpiringDay(expiry) ? 'valid' : 'expiring';
}

/** @param days the first day, and the day after the last one @returns whether a card has its last valid day in them */
export function endsWithin(
  expiry: string | null,
  { first, next }: { first: string; next: string },
): boolean {
  if (expiry === null) return false;
  const last = lastValidDay(expiry);
  return last >= first && last < next;
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
