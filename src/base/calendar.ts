/** Days of the calendar as texts, `YYYY-MM-DD`, and as numbers that can be counted with. */

export const DAY_MS = 86_400_000;

/** @returns how many days the day is after 1970-01-01; NaN for what is no day */
export function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}

/** @returns the day of a number that `dayNumber` gave */
export function dayText(dayNumber: number): string {
  return new Date(dayNumber * DAY_MS).toISOString().slice(0, 10);
}
