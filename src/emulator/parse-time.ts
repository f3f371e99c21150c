/** Times of the gateway as they are typed. */

import { addDays } from '../base/calendar.ts';
import { usage } from '../failure.ts';
import { dayOf } from './gateway-clock.ts';
import { dueDate } from './rules/schedule.ts';

/** The gateway's time can be set to these days and those between them: each has a year of four digits. */
const FIRST_DAY = '1970-01-01';
const LAST_DAY = '2999-12-31';

const INSTANT =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** @param text `1d`, `2w` or `3m` @returns the instant that much later; the day of a shorter month is its last */
export function later(now: Date, text: string): Date {
  const [, digits = '', unit = ''] = /^(\d{1,4})([dwm])$/.exec(text) ?? [];
  const n = Number(digits);
  if (n === 0)
    throw usage(
      'duration-invalid',
      `${JSON.stringify(text)} is not a duration.`,
      'Use days, weeks or months (1d, 2w, 3m), or give a date with --to.',
    );
  const today = now.toISOString().slice(0, 10);
  const day =
    unit === 'm' ? dueDate(today, 'Monthly', n) : addDays(today, unit === 'w' ? 7 * n : n);
  return new Date(day + now.toISOString().slice(10));
}

/** @param text of --to: `YYYY-MM-DD` @returns the beginning of that day */
export function startOf(text: string): Date {
  const instant = beginningOf(text);
  if (!instant)
    throw usage(
      'date-invalid',
      `--to takes a date, YYYY-MM-DD, not ${JSON.stringify(text)}.`,
      'For example --to 2026-04-01.',
    );
  return instant;
}

/** @param text of --clock: a day, which is its beginning (UTC), or an instant with its zone */
export function parseTime(text: string): Date {
  const [, day] = INSTANT.exec(text) ?? [];
  const time = day !== undefined && beginningOf(day) ? new Date(text) : beginningOf(text);
  if (!time)
    throw usage(
      'date-invalid',
      `--clock takes a day (YYYY-MM-DD) or a time with its zone, not ${JSON.stringify(text)}.`,
      'For example --clock 2012-06-01 or --clock 2012-06-01T09:30:00Z.',
    );
  if (dayOf(time) < FIRST_DAY || dayOf(time) > LAST_DAY)
    throw usage(
      'date-invalid',
      `--clock takes days from ${FIRST_DAY} to ${LAST_DAY}, not ${JSON.stringify(text)}.`,
      'Choose a day in that range.',
    );
  return time;
}

/** @returns the first instant of a day (UTC), or undefined for what is no day of the calendar */
function beginningOf(day: string): Date | undefined {
  const instant = new Date(`${day}T00:00:00.000Z`);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(instant.getTime());
  return isDay && dayOf(instant) === day ? instant : undefined;
}
