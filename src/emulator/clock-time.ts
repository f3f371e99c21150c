/** Parses times of the gateway's clock. */
import * as z from 'zod/mini';
import { moved, parseAge } from '../base/age.ts';
import { openTimeZone } from '../base/time-zone.ts';
import { usage } from '../failure.ts';

const TIME = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);
/** The clock can be set to these years and every year between them. */
const [FIRST_YEAR, LAST_YEAR] = [1970, 2999];

/**
 * @param flag the flag that gave the text
 * @param text a day, which means its beginning (UTC), or an instant with its zone, in ISO 8601
 * @throws Failure usage if it is neither
 */
export function clockTime(flag: string, text: string): Date {
  const time = new Date(text);
  const year = time.getUTCFullYear();
  if (TIME.safeParse(text).success && year >= FIRST_YEAR && year <= LAST_YEAR) return time;
  throw usage(
    'date-invalid',
    `${flag} takes a day (YYYY-MM-DD) or a time with its zone, from ${FIRST_YEAR} to ${LAST_YEAR}, not ${JSON.stringify(text)}.`,
    `For example ${flag} 2012-06-01 or ${flag} 2012-06-01T09:30:00Z.`,
  );
}

/** @param text `90min`, `1d`, `2w`, `3m` or `1y` @returns the instant that much later; in a month that is too short, its last day */
export function later(now: Date, text: string): Date {
  const age = parseAge(text);
  if (age && age.count > 0) return new Date(moved(now.getTime(), age, openTimeZone('UTC')));
  throw usage(
    'duration-invalid',
    `${JSON.stringify(text)} is not a duration.`,
    'Use days, weeks, months or years (1d, 2w, 3m, 1y), or give a date with --to.',
  );
}
