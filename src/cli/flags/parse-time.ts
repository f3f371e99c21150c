/** Parses `--since`, `--until` and similar flags: times as people type them, in a time zone. */
import { type Days, parseDays } from '../../base/periods.ts';
import { machineTimeZone, openTimeZone, type TimeZone } from '../../base/time-zone.ts';
import { usage } from '../../failure.ts';
import { option } from './flag.ts';

const UNITS_MS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** The forms of a time, for the description of a flag. */
export const TIMES =
  'today, yesterday, 7d (or 24h, 2w) ago, a date (2026-03-24), a month (2026-03) or a date-time (2026-03-24T09:30)';

export const timeZoneFlag = {
  'time-zone': option({
    description:
      "Time zone for dates, for example Australia/Sydney or UTC. Default: this machine's.",
    helpValue: '<zone>',
  }),
};

/** @param name the value of `--time-zone` @throws Failure usage if there is no such time zone */
export function timeZoneOf(name: string | undefined): TimeZone {
  return name === undefined ? machineTimeZone() : openTimeZone(name);
}

/**
 * @param text days as `parseDays` takes them, a date-time, or an age: 24h, 7d, 2w
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

/** @returns milliseconds since 1970, or days */
function instantOf(text: string, now: Date, zone: TimeZone): number | Days | undefined {
  const ago = /^(\d{1,6})([hdw])$/.exec(text);
  if (ago) return now.getTime() - Number(ago[1]) * UNITS_MS[ago[2] as keyof typeof UNITS_MS];
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

const AGES_MS = { d: UNITS_MS.d, w: UNITS_MS.w, y: 365 * UNITS_MS.d } as const;
const MAX_AGE_MS = 100 * AGES_MS.y;

/**
 * @param text the value of `--before`, for example `90d`, `12w`, `1y`
 * @returns milliseconds
 * @throws Failure usage if it is not an age
 */
export function parseAge(text: string): number {
  const [, number, unit] = /^(\d{1,6})([dwy])$/.exec(text) ?? [];
  const ms = Number(number) * AGES_MS[unit as keyof typeof AGES_MS];
  if (ms <= MAX_AGE_MS) return ms;
  throw usage(
    'age-invalid',
    `--before takes days, weeks or years, not ${JSON.stringify(text)}.`,
    'For example 90d, 12w or 2y.',
  );
}

function noTime(flag: string, text: string): never {
  throw usage('time-invalid', `--${flag} does not take ${JSON.stringify(text)}.`, `Use ${TIMES}.`);
}
