/**
 * The due dates of a subscription: pure functions of its start date and frequency.
 *
 * The start date is the anchor. The nth due date is counted from the start, never from the date before. So a monthly
 * plan from 31 January bills on 28 February and then on 31 March.
 */
import { addDays, addMonths, dayNumber } from '../../base/calendar.ts';
import type { FREQUENCIES } from '../../contract/resources/subscription.ts';

export type Frequency = (typeof FREQUENCIES)[number];

type Step = { days: number } | { months: number };

const STEPS: Readonly<Record<Frequency, Step>> = {
  Daily: { days: 1 },
  Weekly: { days: 7 },
  Fortnightly: { days: 14 },
  Monthly: { months: 1 },
  Quarterly: { months: 3 },
  'Bi-Annually': { months: 6 },
  Annually: { months: 12 },
};

/** @returns whether due dates keep the day of the month; so they do for a word that only a gateway knows */
export function keepsDayOfMonth(frequency: string): boolean {
  return !('days' in (STEPS[frequency as Frequency] ?? {}));
}

/**
 * @param start the first due date, `YYYY-MM-DD`
 * @param n the number of periods after it
 */
export function dueDate(start: string, frequency: Frequency, n: number): string {
  const step = STEPS[frequency];
  return 'days' in step ? addDays(start, n * step.days) : addMonths(start, n * step.months);
}

/** @returns the first due date on or after `day` (`YYYY-MM-DD`) */
export function firstDueFrom(start: string, frequency: Frequency, day: string): string {
  if (start >= day) return start;
  const step = STEPS[frequency];
  if ('days' in step) {
    return dueDate(start, frequency, Math.ceil((dayNumber(day) - dayNumber(start)) / step.days));
  }
  const n = Math.floor((monthNumber(day) - monthNumber(start)) / step.months);
  const due = dueDate(start, frequency, n);
  return due >= day ? due : dueDate(start, frequency, n + 1);
}

/** @returns the due date; null if it is after the last day that may be billed */
export function notPast(end: string | null, due: string): string | null {
  return end !== null && due > end ? null : due;
}

function monthNumber(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}
