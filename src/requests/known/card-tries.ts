/**
 * The tries with a card before and after a payment that was declined. They decide what may be advised, so `gw get`,
 * `gw history` and `gw explain` all ask for them.
 */
import { dayNumber } from '../../base/calendar.ts';
import type { SinceDecline } from '../../contract/decline-table.ts';
import { isSameName } from '../../things/normalise.ts';
import { isOwnedBy, type Owner } from '../../things/owner.ts';
import type { Thing } from '../../things/thing.ts';
import { isRefund, whatCounts } from '../../things/what-counts.ts';
import type { NamedThings } from './lazy-ledger.ts';

export const PAYMENTS = ['purchase', 'refund', 'request', 'event'] as const;
/** The newest ones; a card that is used more often is no person's. */
export const MOST_TRIES = 500;

export interface CardTries extends SinceDecline {
  /** All that was tried with the card, newest first. */
  tries: readonly Thing[];
  /** The payments by the card after the decline, newest first. */
  paidSince: readonly Thing[];
  /** The customer, if another card was stored since. */
  stored: Thing | undefined;
}

/** @returns true if money was taken, false if the attempt was declined; undefined for everything else */
export function hasPaid(thing: Thing): boolean | undefined {
  const counts = isRefund(thing) ? undefined : whatCounts(thing);
  if (counts === 'purchases' || counts === 'charges') return true;
  return counts === 'declines' ? false : undefined;
}

/** @returns what was declined since the card last paid, newest first */
export function declinedSincePaid(things: readonly Thing[]): Thing[] {
  const tries = things.filter((thing) => hasPaid(thing) !== undefined);
  const lastPaid = tries.findIndex(hasPaid);
  return lastPaid === -1 ? tries : tries.slice(0, lastPaid);
}

/**
 * @param thing a payment
 * @param today by the gateway's own dates, `YYYY-MM-DD`
 */
export async function triesOfCard(
  { things }: NamedThings,
  thing: Thing,
  { owner, today }: { owner: Owner; today: string },
): Promise<CardTries> {
  const { customer, token, who } = thing;
  const names = [cardOf(thing), customer, who].filter((name) => name !== null);
  const tied = await things.tied(names, { kinds: PAYMENTS, limit: MOST_TRIES });
  const isOurs = (one: Thing) => isOwnedBy(one, owner, 'named');
  const tries = tied.filter((one) => isOurs(one) && isOfSameCard(one, thing));
  const at = tries.findIndex(({ kind, id }) => kind === thing.kind && id === thing.id);
  const paidSince = tries.slice(0, at === -1 ? 0 : at).filter(hasPaid);
  const alike = declinedSincePaid(tries).filter(({ message }) => message === thing.message);
  const holders = customer === null ? [] : [customer];
  const customers = await things.tied(holders, { kinds: ['customer'], limit: MOST_TRIES });
  return {
    tries,
    paidSince,
    times: paidSince.length > 0 ? 1 : alike.length,
    days: dayNumber(today) - dayNumber(thing.at.slice(0, 10)),
    stored: customers.find((one) => isOurs(one) && token && one.token && one.token !== token),
  };
}

/** A gateway may give a card a new token each time that its number is sent. */
function isOfSameCard(one: Thing, other: Thing): boolean {
  const card = cardOf(one);
  if (card !== null && card === cardOf(other)) return true;
  const isSame = one.lastFour !== null && one.lastFour === other.lastFour && one.who !== null;
  return isSame && isSameName(one.who ?? '', other.who ?? '');
}

/** @returns what tells one card from others: its token, or else whose it is */
function cardOf({ token, customer, subscription }: Thing): string | null {
  return token ?? customer ?? subscription;
}

/** @returns why the reason of a decline says little by now, as a sentence; undefined if it counts */
export function overtaken({ paidSince: [paid], stored }: CardTries): string | undefined {
  if (stored) return `A card was stored since${stored.lastFour ? ` (…${stored.lastFour})` : ''}.`;
  const what = paid?.subscription ?? paid?.reference;
  return (
    paid && `The card has paid${what ? ` for ${what}` : ''} since, on ${paid.at.slice(0, 10)}.`
  );
}
