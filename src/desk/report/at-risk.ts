/**
 * Subscriptions with payments at risk, worst first, for the person who calls customers.
 *
 *   aborted        the last charge was given up after three retries (section 8)
 *   card expired   the card has expired, and the subscription is no longer billed (section 3.2)
 *   retrying       the last charge was declined and is being retried
 *   card expires   the card expires before the next charge, or within 30 days
 */

import { MAX_RETRIES } from '../../contract/billing-dates.ts';
import { cardState, isExpired } from '../../contract/expiry.ts';
import { byCurrency, compareValues } from './report-row.ts';
import { type AtRisk, type KnownSubscription, RISKS, type Risk } from './report-view.ts';

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
  const card = cardExpiry && cardState(cardExpiry, today);
  if (hasExpiredCard && !isActive) return at('card expired', 'stopped', null);
  if (!isActive) return undefined;
  if (card === 'expired') return at('card expired', `ended ${cardExpiry}`, next);
  if (/\bAborted$/i.test(subscription.lastStatus ?? '')) return at('aborted', 'given up', next);
  if (retry) return at('retrying', `retry ${retry.number} of ${MAX_RETRIES}`, retry.date);
  const why = whyExpiring(subscription, card === 'expiring');
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
  isExpiring: boolean,
): string | undefined {
  if (cardExpiry !== null) {
    if (next !== null && isExpired(cardExpiry, next)) return `ends ${cardExpiry}, before that`;
    return isExpiring ? `ends ${cardExpiry}` : undefined;
  }
  if (expiryNotice === null) return undefined;
  return `soon, according to a notice of ${expiryNotice}`;
}
