/** Parses `--since`, `--until` and similar flags: times as people type them, in a time zone. */
import { type Age, moved, movedDay, parseAge } from '../../base/age.ts';
import { around, type Days, endAhead, parseDays } from '../../base/periods.ts';
import { openTimeZone, type TimeZone } from '../../base/time-zone.ts';
import { isoMonth, parseTypedExpiry } from '../../contract/expiry.ts';
import { usage } from '../../failure.ts';
import { option } from './flag.ts';

/** The forms of a time, for the description of a flag. */
export const TIMES =
  'today, yesterday, 7d (or 90min, 24h, 2w, 3m, 2y) ago, a date (2026-03-24), a month (2026-03, march, last month), a date-time (2026-03-24T09:30)';

export const timeZoneFlag = {
  'time-zone': option({
    description:
      "Time zone for dates, for example Australia/Sydney or UTC. Default: this machine's.",
    helpValue: '<zone>',
  }),
};

/**
 * @param text days as `parseDays` takes them, a date-time, or an age as `parseAge` does
 * @param zone of days, and of a date-time that names none
 * @returns ISO 8601, UTC; for days, their beginning
 * @throws Failure usage if it is none of these
 */
export function parseTime(flag: string, text: string, now: Date, zone: TimeZone): string {
  return isoOf(instantOf(text, now, zone) ?? noTime(flag, text), ({ first }) =>
    zone.startOf(first),
  );
}

/**
 * Like `parseTime`, for the end of a range: `--until yesterday` includes all of yesterday.
 * @returns ISO 8601, UTC: the first instant after the range; for days, their end
 */
export function parseEnd(flag: string, text: string, now: Date, zone: TimeZone): string {
  return isoOf(instantOf(text, now, zone) ?? noTime(flag, text), ({ next }) => zone.startOf(next));
}

/**
 * @param zone of today
 * @returns the day that words name, `YYYY-MM-DD`: `tomorrow`, `next friday`, `+14d`; undefined if they name no single day
 * @throws Failure usage if a date may be two days
 */
export function comingDay(text: string, now: Date, zone: TimeZone): string | undefined {
  const age = text.startsWith('+') ? parseAge(text.slice(1)) : undefined;
  if (age) return movedDay(zone.dayOf(now.getTime()), age);
  const days = parseDays(text, { instant: now, zone, looksAhead: true });
  return days?.kind === 'day' ? days.first : undefined;
}

interface Range {
  since: string;
  until: string;
}

/**
 * @param range ISO 8601, UTC
 * @param typed the values of the flags
 * @throws Failure usage if nothing lies between its ends
 */
export function checkOrder({ since, until }: Range, typed: Range): void {
  if (since < until) return;
  throw usage(
    'period-empty',
    `--since ${typed.since} is not before --until ${typed.until}.`,
    'Give --since an earlier time than --until.',
  );
}

/** The forms of a month in which cards expire, for the description of a flag and its error. */
export const CARD_MONTHS =
  '2026-04, 04/26, april, this month, next month, next 3 months, q2 or 2026';

/**
 * @param text months as a card has them or as `parseDays` takes them; those without a year are the next ones
 * @param now by the clock that judges cards
 * @returns the first day, and the day after the last one, by the gateway's own dates
 * @throws Failure usage if it names none
 */
export function parseCardMonths(text: string, now: Date): Pick<Days, 'first' | 'next'> {
  const today = now.toISOString().slice(0, 'YYYY-MM-DD'.length);
  const next = endAhead(text, today);
  if (next !== undefined) return { first: today, next };
  const expiry = parseTypedExpiry(text.trim());
  const named = expiry ? isoMonth(expiry) : text;
  const days = parseDays(named, { instant: now, zone: openTimeZone('UTC'), looksAhead: true });
  if (days) return days.kind === 'day' ? around('month', days.first) : days;
  const said = `--expires does not take ${JSON.stringify(text)}.`;
  throw usage('period-invalid', said, `Use ${CARD_MONTHS}.`);
}

/** The days of units of which an age counts as a number of days. A year has 365 of them. */
const DAYS: Readonly<Partial<Record<Age['unit'], number>>> = {
  h: 1 / 24,
  d: 1,
  w: 7,
  m: 365 / 12,
  y: 365,
};

/** @returns the days of an age: 400d, 57w, 6m, 2y; of months, rounded up. @throws Failure usage if it is none, or no day */
export function parseDaysOfAge(flag: string, text: string): number {
  const { count, unit } = parseAge(text) ?? { count: 0, unit: 'd' };
  const days = count * (DAYS[unit] ?? 0);
  const whole = unit === 'm' ? Math.ceil(days) : days;
  if (whole > 0 && Number.isInteger(whole)) return whole;
  const said = `--${flag} does not take ${JSON.stringify(text)}.`;
  throw usage('age-invalid', said, 'Use days, weeks, months or years: 400d, 57w, 6m, 2y.');
}

/** @returns milliseconds since 1970, or days */
function instantOf(text: string, now: Date, zone: TimeZone): number | Days | undefined {
  const age = parseAge(text.replace(/ ago$/, ''));
  if (age) return moved(now.getTime(), { ...age, count: -age.count }, zone);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/.test(text))
    return parseDays(text, { instant: now, zone });
  const hasZone = /(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const time = Date.parse(hasZone ? text : `${text}Z`);
  if (Number.isNaN(time)) return undefined;
  return hasZone ? time : zone.instantAt(time);
}

function isoOf(time: number | Days, edgeOf: (days: Days) => number): string {
  return new Date(typeof time === 'number' ? time : edgeOf(time)).toISOString();
}

function noTime(flag: string, text: string): never {
  throw usage('time-invalid', `--${flag} does not take ${JSON.stringify(text)}.`, `Use ${TIMES}.`);
}
