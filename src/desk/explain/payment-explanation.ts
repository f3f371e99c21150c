/** Explains the payment that a name means, or the last decline of a customer, a subscription or a card. */

import { commandText } from '../../base/shell.ts';
import { declineOf, declineOfCode, NO_ADVICE, OFTEN } from '../../contract/decline-table.ts';
import { saysVoid } from '../../contract/normal.ts';
import { findOperation } from '../../contract/operations.ts';
import { commandWord } from '../../host/redaction/safe.ts';
import { wordOf } from '../../requests/known/candidates.ts';
import {
  type CardTries,
  hasPaid,
  MOST_TRIES,
  overtaken,
  PAYMENTS,
  triesOfCard,
} from '../../requests/known/card-tries.ts';
import { responseCodeOfThing } from '../../requests/known/known-record.ts';
import type { KnownWithEvents } from '../../requests/known/lazy-ledger.ts';
import { matchNamesOf, type NameMatch } from '../../requests/known/resolve-name.ts';
import { scheduleOf } from '../../requests/known/subscription-schedule.ts';
import { isOwnedBy, type Owner } from '../../things/owner.ts';
import { stopCause } from '../../things/subscription-state.ts';
import type { Thing, ThingOutcome } from '../../things/thing.ts';
import { isRefund } from '../../things/what-counts.ts';
import { CAUSES, joinTexts, money, triesText } from '../../view/panels/words.ts';
import { withoutStatus } from '../../view/reason.ts';
import { sumsOf } from '../history/sums.ts';
import { timelineOf } from '../history/timeline.ts';
import { cardHistory } from './card-history.ts';
import { type Explanation, NOTHING_MORE, ofDecline } from './explanation.ts';

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
  const thing = await paymentOf(known, matches, owner);
  if (!thing) {
    const meaning = 'No payment of it is known here.';
    const next = `\`gw get ${commandWord(name)}\` shows what the gateway has.`;
    const of = wordOf(matches[0]?.kind ?? 'request');
    return { ...NOTHING_MORE, of, name, meaning, next };
  }
  const ofCard = await triesOfCard(known, thing, { owner, today });
  const { kind, label, message, told } = thing;
  const subscription =
    matches[0]?.kind === 'subscription' ? await subscriptionOf(known, thing) : undefined;
  const explained = isDeclined(thing)
    ? await explainDecline(known, thing, { today, ofCard })
    : { next: (subscription && stopText(subscription)) ?? null, ...explainOther(thing) };
  return {
    ...NOTHING_MORE,
    ...thing,
    of: label === 'Recurring' ? 'charge' : (findOperation(label)?.kind ?? kind),
    name,
    message: withoutStatus(message ?? '') || null,
    history: isRefund(thing) ? null : cardHistory(ofCard.tries, today),
    ...explained,
    also: told === 'heard' ? 'Only unverified webhooks tell of it.' : null,
  };
}

/** @returns the payment that is named, or the last decline of what is named, or else its last payment */
async function paymentOf(
  known: KnownWithEvents,
  matches: readonly NameMatch[],
  owner: Owner,
): Promise<Thing | undefined> {
  const selves = matches.flatMap(({ kind, thing }) => (kind === thing.kind ? thing : []));
  // A customer may have paid without a subscription, by the card alone.
  const names = [
    ...matches.flatMap(matchNamesOf),
    ...selves.flatMap(({ kind, token }) => (kind === 'customer' ? (token ?? []) : [])),
  ];
  const tied = await known.things.tied(names, { kinds: PAYMENTS, limit: MOST_TRIES });
  const tries = tied.filter((one) => isOwnedBy(one, owner, 'named'));
  const isNamed = ({ id, customer, subscription, token }: Thing) =>
    [id, customer, subscription, token].some((link) => link !== null && names.includes(link));
  const of = matches[0]?.kind;
  const own = PAYMENTS.some((kind) => kind === of)
    ? [...selves, ...tries.filter(({ id }) => names.includes(id))]
    : tries.filter((one) => hasPaid(one) !== undefined && isNamed(one));
  return own.find(isDeclined) ?? own[0];
}

function isDeclined({ outcome }: Thing): boolean {
  return outcome === 'declined' || outcome === 'abandoned';
}

type Explained = Pick<Explanation, 'meaning'> & Partial<Explanation>;

async function explainDecline(
  known: KnownWithEvents,
  thing: Thing,
  { today, ofCard }: { today: string; ofCard: CardTries },
): Promise<Explained> {
  const responseCode = await responseCodeOfThing(known, thing);
  const decline = declineOf(responseCode, withoutStatus(thing.message ?? ''));
  const isNew = responseCode !== null && !declineOfCode(responseCode);
  const doubt = isNew ? ` gw does not know the response code ${responseCode}.` : '';
  const told = decline ? ofDecline(decline, ofCard) : UNEXPLAINED;
  const explained = { ...told, meaning: `${told.meaning}${doubt}`, responseCode };
  if (isRefund(thing)) return { ...explained, ...REFUND };
  const { isPaid, history } = await historyOf(thing, ofCard, today);
  if (isPaid) return { ...explained, ...PAID_SINCE, history };
  const fact = overtaken(ofCard);
  const changes = ['never', 'corrected', 'perhaps'].includes(told.tryAgain ?? 'perhaps');
  const changesCard = fact === undefined && (changes || ofCard.times >= OFTEN);
  const token = ofCard.stored?.token ?? thing.token;
  const next = await nextOf(known, { ...thing, token }, { today, changesCard });
  const passes = { tryAgain: 'perhaps', when: `It may pass now. ${fact}`, say: null } as const;
  return { ...explained, ...(fact && passes), history, next };
}

const PAID_SINCE = { when: null, next: 'Nothing: it was paid since.' } as const;

/** An explanation leaves events about cards out. */
const NO_EVENTS = { events: async () => [] };

/** @returns what was tried with the card, in words, and whether the payment was made by a later try */
async function historyOf(thing: Thing, { tries, paidSince }: CardTries, today: string) {
  const { subscription, reference, amount, currency } = thing;
  // The card may have paid for other things, which is no payment of this one.
  const ofOne = subscription && tries.filter((one) => one.subscription === subscription);
  const sums = ofOne ? sumsOf(await timelineOf(NO_EVENTS, ofOne)) : [];
  const unpaid = sums.filter((one) => one.unpaid.count > 0);
  const own = paidSince.filter((one) => one.subscription === subscription);
  const isSame = (one: Thing) =>
    reference === null
      ? one.amount === amount && one.currency === currency
      : one.reference === reference;
  const isPaid = ofOne ? own.length > 0 && unpaid.length === 0 : own.some(isSame);
  const said = cardHistory(ofOne && own.length < paidSince.length ? ofOne : tries, today);
  const left = unpaid.flatMap(({ currency, unpaid: { amount, ...counts } }) =>
    counts.tries > 1 ? `${money(amount, currency)} (${triesText({ amount, ...counts })})` : [],
  );
  const all = joinTexts([said, left.length > 0 && `Unpaid: ${left.join(', ')}.`], ' ');
  return { isPaid, history: all || null };
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
  const { subscription, customer } = thing;
  if (subscription === null) return payAgain(thing, changesCard);
  const one = await subscriptionOf(known, thing);
  const due = (one && stopText(one)) ?? scheduleText(one, today);
  if (!changesCard || customer === null || due.includes('gw customer update')) return due;
  return `${due} ${storing(customer)}.`;
}

const storing = (customer: string) =>
  `\`gw customer update ${commandWord(customer)}\` stores another card`;

function payAgain({ token, amount, currency, reference }: Thing, changesCard: boolean) {
  const card = changesCard ? null : token;
  const flags = Object.entries({ 'card-token': card, amount, currency, reference });
  const given = flags.filter(([, value]) => value !== null);
  const command = commandText(['purchase', 'create'], given);
  const asks = changesCard ? 'gw asks for the card' : 'For another try';
  return command ? `${asks}: \`${command}\`.` : null;
}

/** @returns when a failed charge is tried again, and the next one made */
function scheduleText(one: Thing | undefined, today: string): string {
  const { retry = null, next = null } = one ? scheduleOf(one, today) : {};
  const on = retry?.date ? ` on ${retry.date}` : '';
  const due = next ? ` The next ${retry ? 'period' : 'charge'} is due on ${next}.` : '';
  return retry
    ? `The gateway tries it again by itself${on}.${due}`
    : `The gateway does not try this charge again.${due}`;
}

async function subscriptionOf(
  { things }: Pick<KnownWithEvents, 'things'>,
  { subscription, ...owner }: Thing,
): Promise<Thing | undefined> {
  if (subscription === null) return undefined;
  const found = await things.tied([subscription], { kinds: ['subscription'], limit: MOST_TRIES });
  return found.find((one) => isOwnedBy(one, owner, 'named'));
}

/** @returns why nothing is charged any more, and what to do; undefined for a subscription that is not stopped */
function stopText(one: Thing): string | undefined {
  if (one.outcome !== 'stopped') return undefined;
  const [cause, name] = [stopCause(one), one.subscription ?? one.id];
  const what = cause === 'moved' ? 'was moved to another one' : 'is stopped';
  const why = `${joinTexts([name, what, cause && CAUSES[cause]], ' ')}: nothing is charged.`;
  if (cause === 'moved' || cause === 'customer deleted') return why;
  const first =
    cause === 'card expired' && one.customer !== null ? `${storing(one.customer)}, and then ` : '';
  return `${why} ${first}\`gw subscription resume ${commandWord(name)}\` starts it again.`;
}
