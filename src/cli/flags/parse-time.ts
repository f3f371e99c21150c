/** Parses `--since`, `--until` and similar flags: times as people type them, in a time zone. */
import { addDays, DAY_MS, dayNumber, daysInMonth } from '../../base/calendar.ts';
import { type Days, parseDays } from '../../base/periods.ts';
import type { TimeZone } from '../../base/time-zone.ts';
import { usage } from '../../failure.ts';
import { option } from './flag.ts';

/** A year counts as 365 days. */
const UNITS_MS = { h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS, y: 365 * DAY_MS } as const;

/** The forms of a time, for the description of a flag. */
export const TIMES =
  'today, yesterday, 7d (or 24h, 2w, 3m, 2y) ago, a date (2026-03-24), a month (2026-03, march, last month), a date-time (2026-03-24T09:30)';

export const timeZoneFlag = {
  'time-zone': option({
    description:
      "Time zone for dates, for example Australia/Sydney or UTC. Default: this machine's.",
    helpValue: '<zone>',
  }),
};

/**
 * @param text days as `parseDays` takes them, a date-time, or an age: 24h, 7d, 2w, 3m, 2y
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

/** @returns undefined if the text is not an age: 24h, 7d, 2w, 2y */
function msOfAge(text: string): number | undefined {
  if (!/^(?:\d{1,5}[hdw]|\d\d?y)$/.test(text)) return undefined;
  return Number.parseInt(text, 10) * UNITS_MS[text.at(-1) as keyof typeof UNITS_MS];
}

/** @returns the days of an age: 400d, 57w, 2y. @throws Failure usage if it is none, or no whole number of days */
export function parseDaysOfAge(flag: string, text: string): number {
  const days = (msOfAge(text) ?? 0) / DAY_MS;
  if (days > 0 && Number.isInteger(days)) return days;
  const said = `--${flag} does not take ${JSON.stringify(text)}.`;
  throw usage('age-invalid', said, 'Use days, weeks or years: 400d, 57w, 2y.');
}

/** @returns milliseconds since 1970, or days */
function instantOf(text: string, now: Date, zone: TimeZone): number | Days | undefined {
  const ageMs = msOfAge(text);
  if (ageMs !== undefined) return now.getTime() - ageMs;
  const months = /^(\d{1,3})m$/.exec(text)?.[1];
  if (months !== undefined) return monthsBefore(now, Number(months), zone);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/.test(text))
    return parseDays(text, { instant: now, zone });
  const hasZone = /(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const time = Date.parse(hasZone ? text : `${text}Z`);
  if (Number.isNaN(time)) return undefined;
  return hasZone ? time : zone.instantAt(time);
}

/** @returns the same time of that many months ago, in milliseconds since 1970; in a shorter month, of its last day */
function monthsBefore(now: Date, months: number, zone: TimeZone): number {
  const today = zone.dayOf(now.getTime());
  const month = 12 * Number(today.slice(0, 4)) + Number(today.slice(5, 7)) - 1 - months;
  const [year, number] = [Math.floor(month / 12), (month % 12) + 1];
  const day = Math.min(Number(today.slice(8)), daysInMonth(year, number));
  const first = `${year}-${String(number).padStart(2, '0')}-01`;
  return now.getTime() - (dayNumber(today) - dayNumber(addDays(first, day - 1))) * DAY_MS;
}

function isoOf(time: number | Days, edgeOf: (days: Days) => number): string {
  return new Date(typeof time === 'number' ? time : edgeOf(time)).toISOString();
}

function noTime(flag: string, text: string): never {
  throw usage('time-invalid', `--${flag} does not take ${JSON.stringify(text)}.`, `Use ${TIMES}.`);
}
