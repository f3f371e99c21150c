/** Numbers and texts as words of a sentence, and texts from others cut to a length before they are stored. */
import { DAY_MS } from './calendar.ts';
import { type Json, type JsonObject, withTexts } from './json.ts';

/** @returns the word that fits a number: `entry` for 1, `entries` for any other */
export function plural(n: number | bigint, one: string, many: string): string {
  return Number(n) === 1 ? one : many;
}

/**
 * `toLocaleString` would take ten milliseconds the first time.
 * @param n a whole number
 * @returns for example `1,980`
 */
export function count(n: number | bigint): string {
  return grouped(String(n));
}

/** @returns the number with the word that fits it, for example `1,980 entries` */
export function quantity(n: number | bigint, one: string, many: string): string {
  return `${count(n)} ${plural(n, one, many)}`;
}

function grouped(digits: string): string {
  if (!/^-?\d{4}/.test(digits)) return digits;
  return `${grouped(digits.slice(0, -3))},${digits.slice(-3)}`;
}

/** @returns the text with a capital first letter */
export function capitalised(text: string): string {
  return text.replace(/^./u, (letter) => letter.toUpperCase());
}

/**
 * @param instant ISO 8601, UTC
 * @returns for example `2026-03-10 at 20:30:00 UTC`
 */
export function instantText(instant: string): string {
  return `${instant.slice(0, 10)} at ${instant.slice(11, 19)} UTC`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * Says how long ago something was by this machine's clock. The test gateway has a clock of its own, so a date beside its
 * dates would mislead.
 * @param instant ISO 8601 @returns for example `5 min ago`
 */
export function agoText(instant: string, now: Date): string {
  const ms = now.getTime() - Date.parse(instant);
  if (ms < MINUTE_MS) return 'just now';
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ago`;
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} h ago`;
  return `${quantity(Math.floor(ms / DAY_MS), 'day', 'days')} ago`;
}

/** @returns the value if it is a date or a date-time (ISO 8601), else null */
export function dateOrNull(value: unknown): string | null {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : null;
}

/** @returns the value if it is a non-empty text, else null */
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Longer than a card number with separators between its digits, or with escapes in their place. */
const MAX_CARD_NUMBER_LENGTH = 400;
/** Longer than any gap between two digits of a card number. */
const MAX_GAP_LENGTH = 100;

/**
 * @param max UTF-16 units
 * @returns the text, or its beginning with an ellipsis
 */
export function boundedText(text: string, max: number): string {
  if (text.length <= max) return text;
  const start = text.slice(0, wholeNumbersIn(text, max));
  // Copy the text, because V8 keeps the whole original alive for a part of it.
  return `${Buffer.from(start, 'utf16le').toString('utf16le')}…`;
}

/** @returns a position up to `max` that does not split a card number, because a split one is not recognised */
function wholeNumbersIn(text: string, max: number): number {
  let end = max;
  const least = Math.max(0, max - MAX_CARD_NUMBER_LENGTH);
  for (let at = max - 1; at >= least && end - at <= MAX_GAP_LENGTH; at--)
    if (/\p{N}/u.test(String.fromCodePoint(text.codePointAt(at)!))) end = at;
  return end;
}

/** @returns the record with texts of at most `maxText` units, without fields that make its JSON longer than `max` */
export function boundedRecord(record: JsonObject, maxText: number, max: number): JsonObject {
  if (lengthOf(record) <= Math.min(maxText, max)) return record;
  const bounded = withTexts(record, (text) => boundedText(text, maxText)) as JsonObject;
  let left = max;
  const entries = Object.entries(bounded).filter(([name, value]) => {
    const size = name.length + lengthOf(value);
    if (size > left) return false;
    left -= size;
    return true;
  });
  return Object.fromEntries(entries);
}

/** @returns the length of a value as JSON; infinity if it is nested too deeply */
function lengthOf(value: Json): number {
  try {
    return JSON.stringify(value).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * @returns milliseconds since 1970; undefined for text that `Date.parse` would guess at: it reads -5 as a day in 2001
 */
export function httpDate(value: string): number | undefined {
  const date = /^[A-Z][a-z]+, .* GMT$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}
