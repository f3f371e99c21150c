/**
 * Billing (sections 3.2, 6 and 8): the effect of one day on one customer's account.
 *
 * It is a pure function of account and day, without a clock, a store or ids. Days run in order, none is left out, and
 * each runs at its end. `emulator/billing/billing-run.ts` loads accounts, applies this function and writes the result.
 *
 * docs/interface-decisions.md, section 3.2, decides what the interface leaves open.
 *
 * `card.watch` is the first day on which the card must be looked at even though nothing is due. Empty means at once,
 * null never. It also records the notice: after the notice, `watch` is the day after the expiry. It becomes null if no
 * subscription is active on the day that it names, and is set again when a subscription becomes active. So an account
 * without an active subscription takes work on only one day.
 */

import { addDays } from '../../base/calendar.ts';
import { MAX_RETRIES } from '../../contract/billing-dates.ts';
import type { CardBehaviour } from '../../contract/cards/test-cards.ts';
import { firstExpiringDay, isExpired, lastValidDay } from '../../contract/expiry.ts';
import type { EventName } from '../../contract/webhooks/names.ts';
import { authorize } from './acquirer.ts';
import { type Frequency, firstDueFrom, notPast } from './schedule.ts';

const SUCCESSFUL = 'Successful';

/** The retry state of a failed charge. */
interface Retry {
  /** The day of the next retry; null if none is waiting. */
  readonly retry_date: string | null;
  /** The number of failed retries of that charge. */
  readonly retries_used: number;
  readonly last_status: string;
}

export interface BilledSubscription extends Retry {
  readonly id: string;
  /** The amount of its plan, in minor units. */
  readonly amount: number;
  readonly frequency: Frequency;
  readonly start_date: string;
  readonly end_date: string | null;
  readonly next_billing_date: string | null;
  readonly is_active: boolean;
}

export interface Account {
  readonly card: {
    readonly behaviour: CardBehaviour;
    /** The last valid month, `YYYY-MM`. */
    readonly expiry: string;
    readonly watch: string | null;
  };
  readonly subscriptions: readonly BilledSubscription[];
}

/** One attempt. */
export interface Charge {
  /** The id of the subscription. */
  subscription: string;
  due_date: string;
  /** 0 for the first attempt, then 1 to 3. */
  retry: number;
  /** Minor units. */
  amount: number;
  successful: boolean;
  /** `Approved`, or the reason of the decline. */
  message: string;
  /** Two digits. */
  response_code: string;
}

export type BillingEvent =
  | { name: Extract<EventName, `card:${string}`> }
  | { name: 'charge:pending'; subscription: BilledSubscription }
  | {
      name: Exclude<Extract<EventName, `charge:${string}`>, 'charge:pending'>;
      /** The subscription after the charge. */
      subscription: BilledSubscription;
      charge: Charge;
    };

export interface BilledDay {
  next: Account;
  charges: Charge[];
  /** The events in the order in which they happened. */
  events: BillingEvent[];
}

/**
 * @param account with its active subscriptions; stopped ones do no harm
 * @param day `YYYY-MM-DD`; no day may run twice or be left out
 */
export function billDay(account: Account, day: string): BilledDay {
  const { card } = account;
  if (isExpired(card.expiry, day)) return expire(account);

  const { watch, events } = lookAtCard(account, day);
  const charges: Charge[] = [];
  const subscriptions = account.subscriptions.map((subscription) =>
    billSubscription(subscription, card, day, { charges, events }),
  );
  return { next: { card: { ...card, watch }, subscriptions }, charges, events };
}

/**
 * Ends the retry of a failed charge, as stopping a subscription does.
 * @returns the subscription with the status `Failed (n), Aborted`; unchanged if no retry is waiting
 */
export function withoutRetry<Subscription extends Retry>(subscription: Subscription): Subscription {
  if (subscription.retry_date === null) return subscription;
  return {
    ...subscription,
    retry_date: null,
    retries_used: 0,
    last_status: failed(subscription.retries_used + 1, 'Aborted'),
  };
}

function hasActive({ subscriptions }: Account): boolean {
  return subscriptions.some(({ is_active }) => is_active);
}

/** On a day before the expiry: adds the notice, once, if a subscription is active. */
function lookAtCard(account: Account, day: string) {
  const { expiry, watch } = account.card;
  const events: BillingEvent[] = [];
  if (watch === null || watch > day) return { watch, events };
  const from = firstExpiringDay(expiry);
  if (day < from) return { watch: from, events };
  if (!hasActive(account)) return { watch: null, events };
  events.push({ name: 'card:expiring' });
  return { watch: addDays(lastValidDay(expiry), 1), events };
}

function expire(account: Account): BilledDay {
  const next = {
    card: { ...account.card, watch: null },
    subscriptions: account.subscriptions.map((subscription) =>
      subscription.is_active ? { ...withoutRetry(subscription), is_active: false } : subscription,
    ),
  };
  return { next, charges: [], events: hasActive(account) ? [{ name: 'card:expired' }] : [] };
}

/** Adds the subscription's charges and events on this day to the account's. */
function billSubscription(
  subscription: BilledSubscription,
  card: Account['card'],
  day: string,
  { charges, events }: Pick<BilledDay, 'charges' | 'events'>,
): BilledSubscription {
  let state = subscription;
  if (!state.is_active) return state;

  const attempt = (due_date: string, retry: number) => {
    const { id, amount } = state;
    const charge = { subscription: id, due_date, retry, amount, ...authorize(card, amount, day) };
    charges.push(charge);
    state = afterCharge(state, charge, day);
    events.push({ name: eventAfter(state, charge), subscription: state, charge });
    return charge;
  };

  if (state.retry_date !== null) {
    const dueDate = addDays(state.retry_date, -1 - state.retries_used);
    const isSettled =
      state.retry_date <= day && attempt(dueDate, state.retries_used + 1).successful;
    if (!isSettled) return passOver(state, addDays(day, 1));
  }
  state = passOver(state, day);
  if (state.next_billing_date !== day) return state;
  events.push({ name: 'charge:pending', subscription: state });
  state = passOver(state, addDays(day, 1));
  attempt(day, 0);
  return state;
}

/** Skips due dates before a day, which are not charged later. */
function passOver(subscription: BilledSubscription, from: string): BilledSubscription {
  const { next_billing_date, start_date, end_date, frequency } = subscription;
  if (next_billing_date === null || next_billing_date >= from) return subscription;
  const due = firstDueFrom(start_date, frequency, from);
  return { ...subscription, next_billing_date: notPast(end_date, due) };
}

function afterCharge(
  subscription: BilledSubscription,
  { retry, successful }: Charge,
  day: string,
): BilledSubscription {
  if (successful || retry === MAX_RETRIES) {
    const last_status = successful ? SUCCESSFUL : failed(retry, 'Aborted');
    return { ...subscription, retry_date: null, retries_used: 0, last_status };
  }
  return {
    ...subscription,
    retry_date: addDays(day, 1),
    retries_used: retry,
    last_status: failed(retry + 1, 'Pending'),
  };
}

/** @param retry the number of the retry that is waiting, or was waiting */
function failed(retry: number, state: 'Pending' | 'Aborted'): string {
  return `Failed (${retry}), ${state}`;
}

function eventAfter({ retry_date }: BilledSubscription, { successful }: Charge) {
  if (successful) return 'charge:successful';
  return retry_date === null ? 'charge:failed' : 'charge:retry';
}
