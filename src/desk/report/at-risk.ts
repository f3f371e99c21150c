/**
 * Subscriptions whose payments are at risk, worst first, for the person who calls customers. One that is stopped or has
 * ended is charged no more, so nothing of it is at risk.
 *
 *   aborted        the last charge was given up after three retries (section 8)
 *   card expired   the card has expired, and the next charge will stop the subscription (section 3.2)
 *   retrying       the last charge was declined and is being retried
 *   card expires   the card expires before a charge, or within 30 days
 */

import { MAX_RETRIES } from '../../contract/billing-dates.ts';
import { cardState, isExpired } from '../../contract/expiry.ts';
import { isChargedAgain, subscriptionState } from '../../things/subscription-state.ts';
import {
  type Expected,
  expectedOf,
  type ForecastSpan,
  type Foretold,
  isPayable,
} from './forecast.ts';
import { byCurrency, compareValues } from './report-row.ts';
import { type AtRisk, type KnownSubscription, RISKS, type Risk } from './report-view.ts';

/** @returns what is due of the subscriptions, and what of it may fail: all that is due of those at risk */
export function foretold(known: readonly KnownSubscription[], span: ForecastSpan): Foretold {
  const found: Foretold = { expected: [], risks: [], risky: [] };
  for (const one of known) {
    const due = expectedOf(one, span);
    found.expected.push(...due);
    const risk = riskOf(one, span.today, due);
    if (!risk) continue;
    found.risks.push(risk);
    found.risky.push(...due);
  }
  return found;
}

/**
 * @param today by the gateway's own dates, `YYYY-MM-DD`
 * @param due what is due of it in the days of a report
 * @returns the subscription with its risk; undefined if none is known
 */
export function riskOf(
  subscription: KnownSubscription,
  today: string,
  due: readonly Expected[] = [],
): AtRisk | undefined {
  const { cardExpiry, retry, next, amount } = subscription;
  const state = subscriptionState(subscription, today);
  if (!retry && (state !== 'active' || !isChargedAgain(subscription))) return undefined;
  const at = (risk: Risk, why: string, nextDate: string | null): AtRisk => ({
    ...{ ...subscription, risk, why, nextDate },
    dueCount: due.length,
    dueAmount: amount === null ? null : BigInt(amount) * BigInt(due.length),
  });
  const card = cardExpiry && cardState(cardExpiry, today);
  if (card === 'expired') return at('card expired', `ended ${cardExpiry}`, next);
  if (/\bAborted$/i.test(subscription.lastStatus ?? '')) return at('aborted', 'given up', next);
  if (retry) return at('retrying', `retry ${retry.number} of ${MAX_RETRIES}`, retry.date);
  const missed = due.find((one) => !isPayable(one))?.day;
  const why = whyExpiring(subscription, card === 'expiring', missed);
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
  missed: string | undefined,
): string | undefined {
  if (cardExpiry !== null) {
    if (next !== null && isExpired(cardExpiry, next)) return `ends ${cardExpiry}, before that`;
    if (isExpiring) return `ends ${cardExpiry}`;
    return missed === undefined ? undefined : `ends ${cardExpiry}, before ${missed}`;
  }
  if (expiryNotice === null) return undefined;
  return `soon, according to a notice of ${expiryNotice}`;
}
