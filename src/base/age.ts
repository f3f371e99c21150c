/**
 * Lengths of time as people type them: how long ago, or how far ahead. `m` is a month wherever gw takes one, and minutes
 * are `min`.
 *
 *     90min   24h   7d   2w   3m   1y   3 months
 */
import { addDays, addMonths, DAY_MS, dayNumber } from './calendar.ts';
import type { TimeZone } from './time-zone.ts';

export interface Age {
  count: number;
  unit: 'min' | 'h' | 'd' | 'w' | 'm' | 'y';
}

const FORM =
  /^(\d{1,5}) ?(min(?:ute)?s?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:(?:ee)?ks?)?|m(?:o(?:nths?)?)?|y(?:(?:ea)?rs?)?)$/;
/** Higher numbers are typing errors, and lead to years that a date cannot have. */
const MOST = { min: 99_999, h: 99_999, d: 99_999, w: 9_999, m: 999, y: 99 } as const;

/** @returns undefined if the text is no length of time */
export function parseAge(text: string): Age | undefined {
  const [, digits = '', word = ''] = FORM.exec(text.trim().toLowerCase()) ?? [];
  if (word === '') return undefined;
  const unit = word.startsWith('min') ? 'min' : (word[0] as Age['unit']);
  const count = Number(digits);
  return count > MOST[unit] ? undefined : { count, unit };
}

/**
 * @param day `YYYY-MM-DD`
 * @param count negative for earlier
 * @returns the day that much later, in a month that is too short its last day; the same day for hours and minutes
 */
export function movedDay(day: string, { count, unit }: Age): string {
  if (unit === 'min' || unit === 'h') return day;
  if (unit === 'm' || unit === 'y') return addMonths(day, unit === 'y' ? 12 * count : count);
  return addDays(day, unit === 'w' ? 7 * count : count);
}

/**
 * @param instant milliseconds since 1970, as is what it returns
 * @param zone of the days by which months and years are counted
 */
export function moved(instant: number, age: Age, { dayOf }: Pick<TimeZone, 'dayOf'>): number {
  const { count, unit } = age;
  if (unit === 'min' || unit === 'h') return instant + count * (unit === 'h' ? 60 : 1) * 60_000;
  const day = dayOf(instant);
  return instant + (dayNumber(movedDay(day, age)) - dayNumber(day)) * DAY_MS;
}
