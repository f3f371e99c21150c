/** How often a card was declined, and what it paid before, in words. */

import { DAY_MS, dayNumber } from '../../base/calendar.ts';
import { capitalised, count } from '../../base/text.ts';
import { declinedSincePaid, hasPaid } from '../../requests/known/card-tries.ts';
import type { Thing } from '../../things/thing.ts';
import { withoutStatus } from '../../view/reason.ts';

/** A card that paid so often in a row on one day has that rhythm. */
const RHYTHM = 3;

/**
 * @param things what was tried with the card, newest first
 * @param today by the gateway's own dates, `YYYY-MM-DD`
 * @returns sentences; null if nothing is known
 */
export function cardHistory(things: readonly Thing[], today: string): string | null {
  const tries = things.filter((thing) => hasPaid(thing) !== undefined);
  const declined = declinedSincePaid(tries);
  const paid = tries.filter(hasPaid).map(({ at }) => at.slice(0, 10));
  if (tries.length === 0) return null;
  const before = paid[0] && `paid ${rhythmOf(paid) ?? times(paid.length)}, last on ${paid[0]}.`;
  const first = declined.at(-1);
  if (!first) return capitalised(before ?? '');
  const since = dayWords(first.at.slice(0, 10), today);
  const said =
    declined.length === 1
      ? `Declined once, on ${since}`
      : `Declined ${declined.length} times since ${since}`;
  const then = before ? `Before that, it ${before}` : 'No earlier payment is known.';
  return `${said}${reasonsOf(declined)}. ${then}`;
}

/** @returns the gateway's own words for the declines: `, each time “Insufficient Funds”` */
function reasonsOf(declined: readonly Thing[]): string {
  const reasons = declined.map(({ message }) => withoutStatus(message ?? ''));
  const kinds = [...new Set(reasons)].filter((reason) => reason !== '');
  const counted = kinds.map(
    (kind) => `“${kind}” ${times(reasons.filter((one) => one === kind).length)}`,
  );
  if (kinds.length > 1) return `: ${counted.join(', ')}`;
  const each = declined.length > 1 ? ', each time' : ',';
  return kinds.length === 1 && !reasons.includes('') ? `${each} “${kinds[0]}”` : '';
}

/** @returns a day with its name, if it was in the last week */
function dayWords(day: string, today: string): string {
  const date = new Date(dayNumber(day) * DAY_MS);
  const name = date.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  return dayNumber(today) - dayNumber(day) < 7 ? `${name}, ${day}` : day;
}

/** @param paid days, newest first @returns `on the 1st of each month` or `every 7 days`, if the last ones were so */
function rhythmOf(paid: readonly string[]): string | undefined {
  const last = paid.slice(0, RHYTHM);
  if (last.length < RHYTHM) return undefined;
  const steps = (numbers: number[]) => numbers.slice(1).map((number, n) => numbers[n]! - number);
  const isEach = (step: number, numbers: number[]) => steps(numbers).every((one) => one === step);
  const months = last.map((day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)));
  const dates = new Set(last.map((day) => Number(day.slice(8))));
  const [date = 0] = dates;
  if (dates.size === 1 && isEach(1, months)) return `on the ${ordinal(date)} of each month`;
  if (isEach(7, last.map(dayNumber))) return 'every week';
  return isEach(1, last.map(dayNumber)) ? 'every day' : undefined;
}

function times(n: number): string {
  return n === 1 ? 'once' : `${count(n)} times`;
}

function ordinal(n: number): string {
  const ends = ['th', 'st', 'nd', 'rd'];
  return `${n}${(n > 10 && n < 14 ? undefined : ends[n % 10]) ?? 'th'}`;
}
