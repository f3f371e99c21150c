/**
 * Billing (sections 3.2, 6 and 8): what one day does to one customer's account.
 *
 * A pure function of (account, day): no clock, no store, no ids. Days are run in order, every one of
 * them, at their end; `billing-run.ts` loads accounts, applies this and writes what came of it.
 *
 * The interface leaves some things open. They are decided here:
 *
 * - **Counting.** A charge has at most four attempts: the first, and three retries, one a day. The
 *   number in the status is that of the retry which is waiting, so a failing charge goes
 *   `Failed (1), Pending` → `Failed (2), Pending` → `Failed (3), Pending`, each with `charge:retry`,
 *   and when the third retry fails `Failed (3), Aborted` with `charge:failed`.
 * - **`charge:pending`** is sent when a due date is queued, not again for its retries. What is queued
 *   is charged the same day, so no status stands for it. A charge that succeeds leaves `Successful`.
 * - **One charge at a time.** Due dates that come while another charge is being retried, the day of
 *   its abandonment included, are passed over and never charged later. After that the subscription
 *   goes on with its next due date. When a retry succeeds on a due date, that date is charged too.
 * - **After the end.** No due date is after `end_date`; then `next_billing_date` is null. A charge
 *   that was due by the end keeps its retries.
 * - **Missed days.** A due date before the day is passed over: there are no arrears.
 * - **Cards.** The window of `card:expiring` is the last 30 days before the card's last valid day,
 *   and that day. One event per card, and only for an account that still has something to bill:
 *   an active subscription with a due date or a retry before it. When the card has expired, such
 *   subscriptions are set inactive before anything is charged, with one `card:expired` for all of
 *   them. A waiting retry ends with that; `last_status` stays, as it does when one is stopped.
 *
 * `card.watch` is the first day on which the card must be looked at though nothing is due; null is
 * never. It is also the memory of the notice: after it, `watch` is the day after the expiry.
 *
 * This folder makes days pass: the rules, the days of the store, and the clock that is moved.
 */

import type { CardBehaviour } from '../../contract/test-cards.ts';
import type { EventName } from '../../contract/webhook-events.ts';
import { authorize } from '../resources/acquirer.ts';
import { addDays, type Frequency, firstDueFrom, lastValidDay, notPast } from './schedule.ts';

/** Section 8. */
export const MAX_RETRIES = 3;
const NOTICE_DAYS = 30;

const SUCCESSFUL = 'Successful';

export interface BilledSubscription {
  readonly id: string;
  /** What its plan charges, minor units. */
  readonly amount: number;
  readonly frequency: Frequency;
  readonly start_date: string;
  readonly end_date: string | null;
  readonly next_billing_date: string | null;
  /** Day on which a failed charge is tried again. */
  readonly retry_date: string | null;
  /** Retries of that charge that have failed. */
  readonly retries_used: number;
  readonly last_status: string;
  readonly is_active: boolean;
}

export interface Account {
  readonly card: {
    readonly behaviour: CardBehaviour;
    /** Last valid month, `YYYY-MM`. */
    readonly expiry: string;
    readonly watch: string | null;
  };
  readonly subscriptions: readonly BilledSubscription[];
}

/** One attempt. */
export interface Charge {
  /** Id of the subscription. */
  subscription: string;
  due_date: string;
  /** 0 for the first attempt, then 1 to 3. */
  retry: number;
  /** Minor units. */
  amount: number;
  successful: boolean;
  /** `Approved`, or the reason of the decline. */
  message: string;
}

export type BillingEvent =
  | { name: Extract<EventName, `card:${string}`> }
  | { name: 'charge:pending'; subscription: BilledSubscription }
  | {
      name: Exclude<Extract<EventName, `charge:${string}`>, 'charge:pending'>;
      /** As it is after the charge. */
      subscription: BilledSubscription;
      charge: Charge;
    };

export interface BilledDay {
  next: Account;
  charges: Charge[];
  /** In the order in which they happened. */
  events: BillingEvent[];
}

/**
 * @param account active subscriptions, and stopped ones if the caller likes
 * @param day `YYYY-MM-DD`; no day is run twice or left out
 */
export function billDay(account: Account, day: string): BilledDay {
  const { card } = account;
  const isBilled = account.subscriptions.some(isRunning);
  if (day > lastValidDay(card.expiry)) return expire(account, isBilled);

  const events: BillingEvent[] = [];
  const charges: Charge[] = [];
  let watch = card.watch;
  if (watch !== null && watch <= day) {
    const from = watchFrom(card.expiry);
    if (day < from) watch = from;
    else if (isBilled) {
      events.push({ name: 'card:expiring' });
      watch = addDays(lastValidDay(card.expiry), 1);
    } else watch = addDays(day, 1);
  }
  const subscriptions = account.subscriptions.map((subscription) =>
    billSubscription(subscription, card, day, { charges, events }),
  );
  return { next: { card: { ...card, watch }, subscriptions }, charges, events };
}

/** @param expiry `YYYY-MM` @returns the first day on which a card with this expiry is due to expire */
export function watchFrom(expiry: string): string {
  return addDays(lastValidDay(expiry), -NOTICE_DAYS);
}

function isRunning(subscription: BilledSubscription): boolean {
  const { is_active, next_billing_date, retry_date } = subscription;
  return is_active && (next_billing_date !== null || retry_date !== null);
}

function expire({ card, subscriptions }: Account, isBilled: boolean): BilledDay {
  const next = {
    card: { ...card, watch: null },
    subscriptions: subscriptions.map((subscription) =>
      isRunning(subscription)
        ? { ...subscription, is_active: false, retry_date: null, retries_used: 0 }
        : subscription,
    ),
  };
  return { next, charges: [], events: isBilled ? [{ name: 'card:expired' }] : [] };
}

/** Adds what the day brings to the charges and events of the account. */
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

/** Due dates before a day are not charged any more. */
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
  const settled = { ...subscription, retry_date: null, retries_used: 0 };
  if (successful) return { ...settled, last_status: SUCCESSFUL };
  if (retry === MAX_RETRIES) return { ...settled, last_status: `Failed (${retry}), Aborted` };
  return {
    ...subscription,
    retry_date: addDays(day, 1),
    retries_used: retry,
    last_status: `Failed (${retry + 1}), Pending`,
  };
}

function eventAfter({ retry_date }: BilledSubscription, { successful }: Charge) {
  if (successful) return 'charge:successful';
  return retry_date === null ? 'charge:failed' : 'charge:retry';
}
