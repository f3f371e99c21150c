/**
 * How many days are billed in one transaction: as many as make about so many charges at most. An account
 * is loaded and written once for all of these days, and so are the pages that charges are spread over.
 */
import { dayNumber, dayText } from '../../base/calendar.ts';
import type { Transaction } from '../store.ts';

/** Less than a second, in which nobody else can write, and few megabytes. A single day may have more. */
const MAX_CHARGES = 15_000;
/** Whoever interrupts it waits for them. */
const MAX_DAYS_AT_ONCE = 100;

/**
 * @param first `YYYY-MM-DD`
 * @param last the latest that may be among them
 * @returns the days from `first` on, one at least
 */
export function daysAtOnce(tx: Transaction, first: string, last: string): string[] {
  const start = dayNumber(first);
  const most = Math.min(MAX_DAYS_AT_ONCE, dayNumber(last) - start + 1);
  const days = Array.from({ length: most }, (_, index) => dayText(start + index));
  const due = dueByDay(tx, days.at(-1) ?? first);
  const tooMany = days.findIndex(
    (day, index) => index > 0 && chargesUntil(day, { due, first }) > MAX_CHARGES,
  );
  return tooMany === -1 ? days : days.slice(0, tooMany);
}

/** As if what is due on the first day were so every day, and all else every week. */
function chargesUntil(day: string, { due, first }: { due: readonly Due[]; first: string }): number {
  const end = dayNumber(day);
  let charges = 0;
  for (const one of due) {
    if (one.day > day) break;
    const left = end - dayNumber(one.day > first ? one.day : first);
    charges += one.n * (1 + (one.day > first ? Math.floor(left / 7) : left));
  }
  return charges;
}

interface Due {
  day: string;
  /** Subscriptions. */
  n: number;
}

/** @returns how many subscriptions have a date that is due on which day, by the indexes of both dates */
function dueByDay(tx: Transaction, until: string): Due[] {
  return tx.all(
    `SELECT next_billing_date AS day, count(*) AS n FROM subscriptions
      WHERE is_active = 1 AND next_billing_date <= :until GROUP BY next_billing_date
     UNION ALL SELECT retry_date, count(*) FROM subscriptions
      WHERE is_active = 1 AND retry_date <= :until GROUP BY retry_date
     ORDER BY day`,
    { until },
  );
}
