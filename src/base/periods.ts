/**
 * Periods as people type them: a day or a month of the calendar in a time zone.
 *
 *     2026-03-24   today   yesterday   7d     a day; 7d is seven days ago
 *     2026-03                                 a month
 *
 * Any of its days names a week, which begins on Monday (ISO 8601).
 */
import { usage } from '../failure.ts';
import { dayNumber, dayText } from './calendar.ts';
import type { TimeZone } from './time-zone.ts';

export const PERIOD_KINDS = ['day', 'week', 'month'] as const;
export type PeriodKind = (typeof PERIOD_KINDS)[number];

/** Days of the calendar, independent of a time zone. */
export interface Days {
  kind: PeriodKind;
  /** `2026-03-24`, `2026-W13` or `2026-03`. */
  name: string;
  /** `YYYY-MM-DD` */
  first: string;
  /** The day after the last one. */
  next: string;
}

export interface Period extends Days {
  timeZone: string;
  /** ISO 8601, UTC: the first instant. */
  from: string;
  /** ISO 8601, UTC: the first instant after the period. */
  until: string;
}

/** The present, for interpreting a period. */
export interface Now {
  instant: Date;
  zone: TimeZone;
}

/** Earlier years are typing errors, and time zones had no rules yet. */
const FIRST_YEAR = 1900;
const LAST_YEAR = 2999;
const DAYS = 'today, yesterday, 7d or a date such as 2026-03-24';
const EXAMPLES = {
  day: `Use ${DAYS}.`,
  week: `Use any day of the week: ${DAYS}.`,
  month: `Use a month such as 2026-03, or any day of it: ${DAYS}.`,
} as const satisfies Record<PeriodKind, string>;

/**
 * @param kind the wanted period; `week` with a day means the week that contains it
 * @param text the typed text; today if undefined
 * @throws Failure usage if it names no period, or a longer one than wanted
 */
export function periodOf(kind: PeriodKind, text: string | undefined, now: Now): Period {
  const named = parseDays(text ?? 'today', now);
  const days = named?.kind === 'day' ? around(kind, named.first) : named;
  if (days?.kind !== kind) {
    const what = days ? `a ${days.kind}, not a ${kind}` : `not a ${kind}`;
    throw usage('period-invalid', `${JSON.stringify(text)} is ${what}.`, EXAMPLES[kind]);
  }
  const { zone } = now;
  const instant = (day: string) => new Date(zone.startOf(day)).toISOString();
  return { ...days, timeZone: zone.name, from: instant(days.first), until: instant(days.next) };
}

/** @returns the days that a text names; undefined if it names none */
export function parseDays(text: string, { instant, zone }: Now): Days | undefined {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return isDay(text) ? around('day', text) : undefined;
  if (/^\d{4}-\d\d$/.test(text))
    return isDay(`${text}-01`) ? around('month', `${text}-01`) : undefined;
  const today = dayNumber(zone.dayOf(instant.getTime()));
  if (text === 'today') return around('day', dayText(today));
  if (text === 'yesterday') return around('day', dayText(today - 1));
  const ago = /^(\d{1,5})d$/.exec(text)?.[1];
  return ago === undefined ? undefined : around('day', dayText(today - Number(ago)));
}

/** @returns the day, week or month that contains a day */
function around(kind: PeriodKind, day: string): Days {
  const number = dayNumber(day);
  if (kind === 'day') return { kind, name: day, first: day, next: dayText(number + 1) };
  if (kind === 'month') {
    const first = monthOf(number);
    // 31 days after its first day, every month has ended.
    return { kind, name: day.slice(0, 7), first, next: monthOf(dayNumber(first) + 31) };
  }
  const monday = number - weekdayOf(number);
  return { kind, name: weekName(monday), first: dayText(monday), next: dayText(monday + 7) };
}

/** A week belongs to the year of its Thursday (ISO 8601). */
function weekName(monday: number): string {
  const year = dayText(monday + 3).slice(0, 4);
  const week = Math.floor((monday + 3 - dayNumber(`${year}-01-01`)) / 7) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** @returns the first day of the month that contains a day */
function monthOf(day: number): string {
  return `${dayText(day).slice(0, 7)}-01`;
}

/** @returns 0 for Monday; 1970-01-01 was a Thursday */
function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

function isDay(day: string): boolean {
  const number = dayNumber(day);
  if (Number.isNaN(number) || dayText(number) !== day) return false;
  const year = Number(day.slice(0, 4));
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}
