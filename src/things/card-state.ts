/**
 * Decides the state of a card that a customer has, for every list, search and report: its date counts, as on the panel
 * of the customer. Only a card whose date gw does not know is in the state that a webhook says.
 */
import { DAY_MS } from '../base/calendar.ts';
import { cardState } from '../contract/expiry.ts';
import type { CardNotice, ThingOutcome } from './thing.ts';

export const CARD_STATES = ['expiring', 'expired'] as const satisfies readonly ThingOutcome[];

/** A card expires within 30 days of the webhook that says so (section 8). */
const NOTICE_MS = 31 * DAY_MS;

/** @param today by the gateway's own dates, `YYYY-MM-DD` @returns whether a notice that a card expires still counts */
export function isRecent({ seenAt }: Pick<CardNotice, 'seenAt'>, today: string): boolean {
  return Date.parse(seenAt) + NOTICE_MS >= Date.parse(today);
}

/**
 * @param expiry last valid month of the card, `YYYY-MM`; null if it is not known
 * @param notice the last webhook about the card
 * @param today by the gateway's own dates, `YYYY-MM-DD`
 * @returns null for a card that is valid, or of which nothing is known
 */
export function cardStateOf(
  { expiry, notice }: { expiry: string | null; notice: CardNotice | undefined },
  today: string,
): (typeof CARD_STATES)[number] | null {
  if (expiry !== null) {
    const state = cardState(expiry, today);
    return state === 'valid' ? null : state;
  }
  const counts = notice && (notice.outcome === 'expired' || isRecent(notice, today));
  return counts ? notice.outcome : null;
}
