/** Days of the calendar as text, `YYYY-MM-DD`, and as numbers for arithmetic. */

export const DAY_MS = 86_400_000;

/** Caches of days. Converting a day costs as much as the rest of billing a charge, and there are few days. */
const NUMBERS = new Map<string, number>();
const TEXTS = new Map<number, string>();
const MAX_KNOWN = 10_000;

/** @returns the number of days from 1970-01-01 to the day; NaN if the text is not a day */
export function dayNumber(day: string): number {
  return NUMBERS.get(day) ?? known(NUMBERS, day, Date.parse(`${day}T00:00:00Z`) / DAY_MS);
}

/** @param dayNumber a number from the function `dayNumber` */
export function dayText(dayNumber: number): string {
  return (
    TEXTS.get(dayNumber) ??
    known(TEXTS, dayNumber, new Date(dayNumber * DAY_MS).toISOString().slice(0, 10))
  );
}

function known<Key, Value>(values: Map<Key, Value>, key: Key, value: Value): Value {
  if (values.size >= MAX_KNOWN) values.clear();
  values.set(key, value);
  return value;
}

/** @returns the day `days` after another; before it if negative */
export function addDays(day: string, days: number): string {
  return dayText(dayNumber(day) + days);
}

/** @returns the same day of the month `months` after it, before it if negative; in a shorter month, its last day */
export function addMonths(day: string, months: number): string {
  const number = 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7)) - 1 + months;
  const [year, month] = [Math.floor(number / 12), (number % 12) + 1];
  const last = daysInMonth(year, month);
  const padded = (part: number, digits: number) => String(part).padStart(digits, '0');
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(Math.min(Number(day.slice(8)), last), 2)}`;
}

/** @param month 1 to 12 */
export function daysInMonth(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (month === 2) return leap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
