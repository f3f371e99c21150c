/**
 * How many days are billed in one transaction: as many as make no more than so many charges. An account
 * is loaded and written once for all of these days, and so are the pages that charges are spread over.
 */
import { dayNumber, dayText } from '../../base/calendar.ts';
import type { Transaction } from '../store.ts';

/** A second or two, in which nobody else can write. A single day may have more. */
const MAX_CHARGES = 40_000;
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
  let subscriptions = 0;
  let counted = 0;
  const tooMany = days.findIndex((day, index) => {
    for (; (due[counted]?.day ?? '~') <= day; counted++) subscriptions += due[counted]?.n ?? 0;
    // As if each were charged every day.
    return index > 0 && subscriptions * (index + 1) > MAX_CHARGES;
  });
  return tooMany === -1 ? days : days.slice(0, tooMany);
}

/** @returns how many subscriptions have a date that is due on which day, by the indexes of both dates */
function dueByDay(tx: Transaction, until: string): { day: string; n: number }[] {
  return tx.all(
    `SELECT next_billing_date AS day, count(*) AS n FROM subscriptions
      WHERE is_active = 1 AND next_billing_date <= :until GROUP BY next_billing_date
     UNION ALL SELECT retry_date, count(*) FROM subscriptions
      WHERE is_active = 1 AND retry_date <= :until GROUP BY retry_date
     ORDER BY day`,
    { until },
  );
}
