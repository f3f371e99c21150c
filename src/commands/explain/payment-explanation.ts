/** Explains the payment that a name means, or the last decline of a customer, a subscription or a card. */

import { dayNumber } from '../../base/calendar.ts';
import { commandText } from '../../base/shell.ts';
import {
  declineOf,
  declineOfCode,
  NO_ADVICE,
  OFTEN,
  type SinceDecline,
} from '../../contract/decline-table.ts';
import { saysVoid } from '../../contract/normal.ts';
import { findOperation } from '../../contract/operations.ts';
import { commandWord } from '../../host/redaction/safe.ts';
import { wordOf } from '../../requests/known/candidates.ts';
import { responseCodeOfThing } from '../../requests/known/known-record.ts';
import type { KnownWithEvents } from '../../requests/known/lazy-ledger.ts';
import { matchNamesOf, type NameMatch } from '../../requests/known/resolve-name.ts';
import { scheduleOf } from '../../requests/known/subscription-schedule.ts';
import { isSameName } from '../../things/normalise.ts';
import { isOwnedBy, type Owner } from '../../things/owner.ts';
import type { Thing, ThingOutcome } from '../../things/thing.ts';
import { isRefund } from '../../things/what-counts.ts';
import { withoutStatus } from '../../view/reason.ts';
import { cardHistory, declinedSincePaid, hasPaid } from './card-history.ts';
import { type Explanation, NOTHING_MORE, ofDecline } from './explanation.ts';

const PAYMENTS = ['purchase', 'refund', 'request', 'event'] as const;
/** The newest ones; a card that is used more often is no person's. */
const MOST_TRIES = 500;

interface Target {
  /** The text as it was typed. */
  name: string;
  matches: readonly NameMatch[];
  owner: Owner;
  /** By the gateway's own dates, `YYYY-MM-DD`. */
  today: string;
}

/** @param target has at least one match */
export async function explainPayment(
  known: KnownWithEvents,
  { name, matches, owner, today }: Target,
): Promise<Explanation> {
  const selves = matches.flatMap(({ kind, thing }) => (kind === thing.kind ? thing : []));
  // A customer may have paid without a subscription, by the card alone.
  const names = [
    ...matches.flatMap(matchNamesOf),
    ...selves.flatMap(({ kind, token }) => (kind === 'customer' ? (token ?? []) : [])),
  ];
  const all = [...names, ...selves.flatMap((one) => [cardOf(one) ?? [], one.who ?? []].flat())];
  const tied = await known.things.tied(all, { kinds: PAYMENTS, limit: MOST_TRIES });
  const tries = tied.filter((one) => isOwnedBy(one, owner, 'named'));
  const isNamed = ({ id, customer, subscription, token }: Thing) =>
    [id, customer, subscription, token].some((link) => link !== null && names.includes(link));
  const of = matches[0]?.kind;
  const own = PAYMENTS.some((kind) => kind === of)
    ? [...selves, ...tries.filter(({ id }) => names.includes(id))]
    : tries.filter((one) => hasPaid(one) !== undefined && isNamed(one));
  const thing = own.find(isDeclined) ?? own[0];
  if (!thing) {
    const meaning = 'No payment of it is known here.';
    const next = `\`gw get ${commandWord(name)}\` shows what the gateway has.`;
    return { ...NOTHING_MORE, of: wordOf(of ?? 'request'), name, meaning, next };
  }
  const ofCard = tries.filter((one) => isOfSameCard(one, thing));
  const at = ofCard.findIndex(({ kind, id }) => kind === thing.kind && id === thing.id);
  const hasPaidSince = ofCard.slice(0, at === -1 ? undefined : at).some(hasPaid);
  const alike = declinedSincePaid(ofCard).filter((one) => one.message === thing.message);
  const days = dayNumber(today) - dayNumber(thing.at.slice(0, 10));
  const explained = isDeclined(thing)
    ? await explainDecline(known, thing, { today, times: hasPaidSince ? 1 : alike.length, days })
    : explainOther(thing);
  const { kind, label, message, told } = thing;
  return {
    ...NOTHING_MORE,
    ...thing,
    of: label === 'Recurring' ? 'charge' : (findOperation(label)?.kind ?? kind),
    name,
    message: withoutStatus(message ?? '') || null,
    history: isRefund(thing) ? null : cardHistory(ofCard, today),
    ...explained,
    ...(isDeclined(thing) &&
      hasPaidSince && { when: null, next: 'Nothing: the card has paid since.' }),
    also: told === 'heard' ? 'Only unverified webhooks tell of it.' : null,
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

function isDeclined({ outcome }: Thing): boolean {
  return outcome === 'declined' || outcome === 'abandoned';
}

type Explained = Pick<Explanation, 'meaning'> & Partial<Explanation>;

async function explainDecline(
  known: KnownWithEvents,
  thing: Thing,
  { today, ...since }: SinceDecline & Pick<Target, 'today'>,
): Promise<Explained> {
  const responseCode = await responseCodeOfThing(known, thing);
  const decline = declineOf(responseCode, withoutStatus(thing.message ?? ''));
  const isNew = responseCode !== null && !declineOfCode(responseCode);
  const doubt = isNew ? ` gw does not know the response code ${responseCode}.` : '';
  const told = decline ? ofDecline(decline, since) : UNEXPLAINED;
  const explained = { ...told, meaning: `${told.meaning}${doubt}`, responseCode };
  if (isRefund(thing)) return { ...explained, ...REFUND };
  const changes = ['never', 'corrected', 'perhaps'].includes(told.tryAgain ?? 'perhaps');
  const changesCard = changes || since.times >= OFTEN;
  return { ...explained, next: await nextOf(known, thing, { today, changesCard }) };
}

const UNEXPLAINED = {
  meaning: 'The gateway gives no reason that gw knows.',
  tryAgain: null,
  when: NO_ADVICE[0],
  say: NO_ADVICE[1],
} as const;

/** A refund is no matter between the customer and the bank. */
const REFUND = {
  tryAgain: 'perhaps',
  when: 'Later. Before you pay the money back in another way, ask whoever runs the gateway.',
  say: 'Your refund has not gone through yet. We look into it and come back to you.',
} as const;

/** The outcomes of payments that were not declined. */
const OTHERS: Readonly<Partial<Record<ThingOutcome, string>>> = {
  approved: 'It was approved.',
  done: 'It was approved.',
  authorised: 'The bank approved it, and nothing was taken yet.',
  rejected: 'The gateway rejected the request, and asked no bank.',
  'not-sent': 'It was not sent: no bank was asked.',
  'not-done': 'It did not happen, as somebody here found out.',
};
const UNKNOWN = 'Nobody knows yet whether it was paid. Do not send it again.';

function explainOther({ kind, id, outcome, message, sources }: Thing): Explained {
  if (saysVoid(message)) return { meaning: 'It was voided, which is no decline.' };
  const meaning = OTHERS[outcome ?? 'unknown'];
  if (meaning) return { meaning };
  const entry = kind === 'request' ? id : Object.keys(sources.requests)[0];
  return { meaning: UNKNOWN, next: entry ? `\`gw journal resolve ${entry}\` finds out.` : null };
}

/** @returns what the operator does after a decline */
async function nextOf(
  known: KnownWithEvents,
  thing: Thing,
  { today, changesCard }: { today: string; changesCard: boolean },
): Promise<string | null> {
  const { subscription, customer, token, amount, currency, reference } = thing;
  if (subscription === null) {
    const card = changesCard ? null : token;
    const flags = Object.entries({ 'card-token': card, amount, currency, reference });
    const given = flags.filter(([, value]) => value !== null);
    const command = commandText(['purchase', 'create'], given);
    const asks = changesCard ? 'gw asks for the card' : 'For another try';
    return command ? `${asks}: \`${command}\`.` : null;
  }
  const filter = { kinds: ['subscription'] as const, limit: MOST_TRIES };
  const called = await known.things.tied([subscription], filter);
  const one = called.find((own) => isOwnedBy(own, thing, 'named'));
  const { retry = null, next = null } = one ? scheduleOf(one, today) : {};
  const on = retry?.date ? ` on ${retry.date}` : '';
  const due = next ? ` The next charge is due on ${next}.` : '';
  const again = retry
    ? `The gateway tries it again by itself${on}.`
    : `The gateway does not try this charge again.${due}`;
  if (!changesCard || customer === null) return again;
  return `${again} \`gw customer update ${commandWord(customer)}\` stores another card.`;
}
