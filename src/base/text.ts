/** Numbers and texts as words of a sentence. */

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
export function counted(n: number | bigint, one: string, many: string): string {
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

/** @returns the value if it is a date or a date-time (ISO 8601), else null */
export function dateOrNull(value: unknown): string | null {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : null;
}

/** @returns the value if it is a non-empty text, else null */
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
