/** Days of the calendar as texts, `YYYY-MM-DD`, and as numbers that can be counted with. */

export const DAY_MS = 86_400_000;

/** To parse a day or to write it costs as much as the rest of billing a charge, and the days are few. */
const NUMBERS = new Map<string, number>();
const TEXTS = new Map<number, string>();
const MAX_KNOWN = 10_000;

/** @returns how many days the day is after 1970-01-01; NaN for what is no day */
export function dayNumber(day: string): number {
  return NUMBERS.get(day) ?? known(NUMBERS, day, Date.parse(`${day}T00:00:00Z`) / DAY_MS);
}

/** @returns the day of a number that `dayNumber` gave */
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

/** @returns the day that is `days` after another, or before it where they are negative */
export function addDays(day: string, days: number): string {
  return dayText(dayNumber(day) + days);
}
