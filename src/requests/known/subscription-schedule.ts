/**
 * When a subscription is billed: by its record as last seen, or by a charge that a webhook told of since.
 *
 * Tests: test/unit/desk/report/forecast.test.ts, test/unit/desk/report/at-risk.test.ts
 */
import { addDays } from '../../base/calendar.ts';
import { FREQUENCIES } from '../../contract/resources/subscription.ts';
import { type Frequency, firstDueFrom, notPast } from '../../emulator/rules/schedule.ts';
import { newestEvent } from '../../things/sources.ts';
import { isSaidActive } from '../../things/subscription-state.ts';
import type { Thing } from '../../things/thing.ts';

/** When a subscription is billed. Its dates are `YYYY-MM-DD`. */
export interface BillingSchedule {
  frequency: Frequency | null;
  start: string | null;
  end: string | null;
  /** The date as reported, or by the schedule; null if nothing more is due, or nothing is known. */
  next: string | null;
  lastStatus: string | null;
  retry: WaitingRetry | null;
}

export interface WaitingRetry {
  /** 1 to 3. */
  number: number;
  /** `YYYY-MM-DD` */
  date: string | null;
}

/**
 * A date that has passed is stale: what became of it was not seen, and the next one is by the rules (section 8).
 * @param today by the gateway's own dates, `YYYY-MM-DD`
 * @returns when a subscription is billed, by its record or by a later charge
 */
export function scheduleOf(thing: Thing, today: string): BillingSchedule {
  const { sources, label } = thing;
  const { record } = sources;
  const event = newestEvent(sources);
  const frequency = FREQUENCIES.find((known) => known === label) ?? null;
  const { start = null, end = null, next = null } = record?.dates ?? event?.dates ?? {};
  const dates = { frequency, start, end, next };
  const isCharged = event && !event.isPending && (!record || event.seenAt > record.seenAt);
  const known = isCharged
    ? afterCharge(dates, event.at ?? event.seenAt, event.message ?? null)
    : asSeen(dates, record?.message ?? null);
  // The next date of one that was stopped is that of the first charge that it missed.
  if (!isSaidActive(thing)) return { ...known, retry: null };
  const isStale = known.next === null ? !record : known.next < today;
  const isOver = known.retry?.date != null && known.retry.date < today;
  return {
    ...known,
    next: isStale ? dueFrom(dates, today) : known.next,
    retry: isOver ? null : known.retry,
  };
}

type Dates = Omit<BillingSchedule, 'lastStatus' | 'retry'>;

function dueFrom({ start, end, frequency }: Dates, day: string): string | null {
  if (start === null || frequency === null) return null;
  return notPast(end, firstDueFrom(start, frequency, day));
}

/** @param at when it was charged, by the gateway's clock */
function afterCharge(dates: Dates, at: string, lastStatus: string | null): BillingSchedule {
  const following = addDays(at.slice(0, 'YYYY-MM-DD'.length), 1);
  const number = retryNumber(lastStatus);
  return {
    ...dates,
    lastStatus,
    next: dueFrom(dates, following) ?? notBefore(following, dates.next),
    retry: number === undefined ? null : { number, date: following },
  };
}

/** @returns the date; null if it has passed */
function notBefore(day: string, date: string | null): string | null {
  return date !== null && date >= day ? date : null;
}

function asSeen(dates: Dates, lastStatus: string | null): BillingSchedule {
  const number = retryNumber(lastStatus);
  return { ...dates, lastStatus, retry: number === undefined ? null : retryOf(dates, number) };
}

function retryNumber(lastStatus: string | null): number | undefined {
  const number = /^Failed \((\d)\), Pending$/i.exec(lastStatus ?? '')?.[1];
  return number === undefined ? undefined : Number(number);
}

/**
 * A failed charge is tried again on the three days after it (section 8). Its record names no day, but the due date after
 * it is known, and so is the one before.
 */
function retryOf({ frequency, next, start }: Dates, number: number): WaitingRetry {
  // A charge that falls due during a retry is skipped, one day at a time.
  if (frequency === 'Daily') return { number, date: next };
  if (frequency === null || start === null || next === null) return { number, date: null };
  return { number, date: addDays(dueBefore(start, frequency, next), number) };
}

function dueBefore(start: string, frequency: Frequency, day: string): string {
  for (let back = 1; back <= 366; back++) {
    const due = addDays(day, -back);
    if (due <= start || firstDueFrom(start, frequency, due) === due) return due;
  }
  return start;
}
