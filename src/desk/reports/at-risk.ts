/**
 * Subscriptions with payments at risk, worst first, for the person who calls customers.
 *
 *   aborted        the last charge was given up after three retries (section 8)
 *   card expired   the card has expired, and the subscription is no longer billed (section 3.2)
 *   retrying       the last charge was declined and is being retried
 *   card expires   the card expires before the next charge, or within 30 days
 */

import { addDays } from '../../base/calendar.ts';
import { MAX_RETRIES, NOTICE_DAYS } from '../../contract/billing-dates.ts';
import { lastValidDay } from '../../emulator/rules/schedule.ts';
import {
  type AtRisk,
  type KnownSubscription,
  RISKS,
  type Risk,
} from '../../view/records/report.ts';
import { byCurrency, compareValues } from './report-row.ts';

/**
 * @param today by the gateway's own dates, `YYYY-MM-DD`
 * @returns the subscription with its risk; undefined if none is known
 */
export function riskOf(subscription: KnownSubscription, today: string): AtRisk | undefined {
  const { isActive, hasExpiredCard, cardExpiry, retry, next } = subscription;
  const at = (risk: Risk, why: string, nextDate: string | null): AtRisk => ({
    ...subscription,
    risk,
    why,
    nextDate,
  });
  const lastDay = cardExpiry === null ? null : lastValidDay(cardExpiry);
  if (hasExpiredCard && !isActive) return at('card expired', 'stopped', null);
  if (!isActive) return undefined;
  if (lastDay !== null && lastDay < today) return at('card expired', `ended ${cardExpiry}`, next);
  if (/\bAborted$/i.test(subscription.lastStatus ?? '')) return at('aborted', 'given up', next);
  if (retry) return at('retrying', `retry ${retry.number} of ${MAX_RETRIES}`, retry.date);
  const why = whyExpiring(subscription, lastDay, today);
  return why === undefined ? undefined : at('card expires', why, next);
}

/** @returns for `Array.sort`: the worse kind, the later retry, by currency, more money, the earlier date first */
export function worstFirst(one: AtRisk, other: AtRisk): number {
  return (
    RISKS.indexOf(one.risk) - RISKS.indexOf(other.risk) ||
    (other.retry?.number ?? 0) - (one.retry?.number ?? 0) ||
    byCurrency(one, other) ||
    (other.amount ?? 0) - (one.amount ?? 0) ||
    compareValues(one.nextDate ?? '~', other.nextDate ?? '~') ||
    compareValues(one.name, other.name)
  );
}

function whyExpiring(
  { next, cardExpiry, expiryNotice }: KnownSubscription,
  lastDay: string | null,
  today: string,
): string | undefined {
  if (lastDay !== null) {
    if (next !== null && lastDay < next) return `ends ${cardExpiry}, before that`;
    return lastDay <= addDays(today, NOTICE_DAYS) ? `ends ${cardExpiry}` : undefined;
  }
  if (expiryNotice === null) return undefined;
  return `soon, according to a notice of ${expiryNotice}`;
}
