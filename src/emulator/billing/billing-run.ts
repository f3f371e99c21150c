/**
 * Billing days of the store: what `billing.ts` decides, loaded and written.
 *
 * `billing_day` of the store is the first day that is not billed yet. A day is billed at its end, when
 * the gateway's time has passed into the next one, all of it in one transaction, and accounts
 * in the order in which their customers were made, so that ids and events come in the same order every
 * time. Whoever opens the store bills the days that have passed:
 * a request, the server as its clock moves, `gw emulator advance`.
 *
 * Charges are purchases with the source Recurring and the subscription's reference. A declined one
 * has an id too, unlike a declined purchase by token: the merchant never saw an answer, so it must
 * be possible to look it up.
 */

import type { EventName } from '../../contract/webhook-events.ts';
import { invariant } from '../../failure.ts';
import type { Occasion } from '../../webhooks/payload.ts';
import { Counters } from '../counters.ts';
import { openPublisher, type Publisher, pruneLog } from '../deliveries/queue.ts';
import type { Dialect } from '../dialect.ts';
import { dayOf } from '../gateway-clock.ts';
import { countTransactions } from '../resources/cards.ts';
import { keepPurchase, type PurchaseRow, purchaseRecord } from '../resources/purchases.ts';
import { keepSchedule } from '../resources/subscriptions.ts';
import type { Store, Transaction } from '../store.ts';
import { type Account, type BillingEvent, billDay, type Charge } from './billing.ts';
import {
  type CustomerInEvent,
  customerInEvent,
  type DueAccount,
  type DueCustomer,
  type DueSubscription,
  dueAccounts,
} from './due-accounts.ts';
import { addDays } from './schedule.ts';

const RECURRING = 'Recurring';

/** More would take longer than anybody waits: ten years and a bit. */
export const MAX_DAYS = 3_700;

/** How many events of each name a day had. */
export type DayCounts = Record<EventName, number>;

/** @returns the instant at which a day is over, when it is billed */
export function endOf(day: string): Date {
  return new Date(`${addDays(day, 1)}T00:00:00.000Z`);
}

/** @returns whether days have passed that are not billed */
export function isBehind(tx: Transaction): boolean {
  return tx.billingDay < dayOf(tx.now);
}

/** Bills the days that have passed, at most `MAX_DAYS` of them: those before are left out. */
export function catchUp(store: Store): void {
  while (store.read(isBehind)) {
    store.write((tx) => {
      const today = dayOf(tx.now);
      const day = tx.billingDay;
      const earliest = addDays(today, -MAX_DAYS);
      // Another process may have been first.
      if (day >= today) return;
      const isForgotten = day < earliest;
      billStoredDay(tx, isForgotten ? earliest : day);
    });
  }
}

/** Bills a day and makes the next one the first that is not billed. Its end must have come, or come with this. */
export function billStoredDay(tx: Transaction, day: string): DayCounts {
  const counts: DayCounts = {
    'charge:pending': 0,
    'charge:successful': 0,
    'charge:retry': 0,
    'charge:failed': 0,
    'card:expiring': 0,
    'card:expired': 0,
  };
  const publisher = openPublisher(tx, endOf(day));
  const counters = new Counters(tx);
  for (const accounts of dueAccounts(tx, day)) {
    const charged: string[] = [];
    for (const account of accounts) {
      const bill = billAccount(tx, account, { day, counters });
      for (const _charge of bill.purchases) charged.push(account.customer.token);
      for (const { name } of bill.events) counts[name]++;
      publish(tx, publisher, account.customer, bill);
    }
    countTransactions(tx, charged);
  }
  counters.write();
  tx.setBillingDay(addDays(day, 1));
  pruneLog(tx);
  return counts;
}

type ById = ReadonlyMap<string, DueSubscription>;
type Purchases = ReadonlyMap<Charge, PurchaseRow>;

/** What came of an account. */
interface Bill {
  events: readonly BillingEvent[];
  subscriptions: ById;
  purchases: Purchases;
}

/** Bills a customer's account and writes what came of it. */
function billAccount(
  tx: Transaction,
  { customer, subscriptions: rows }: DueAccount,
  { day, counters }: { day: string; counters: Counters },
): Bill {
  const account: Account = {
    card: { behaviour: customer.behaviour, expiry: customer.expiry, watch: customer.card_watch },
    subscriptions: rows.map((row) => ({ ...row, is_active: true })),
  };
  const { next, charges, events } = billDay(account, day);

  const subscriptions: ById = new Map(rows.map((row) => [row.id, row]));
  const purchases: Purchases = new Map(
    charges.map((charge) => {
      const { currency, reference } = billed(subscriptions, charge.subscription);
      const payment = {
        merchant: customer.merchant,
        card_token: customer.token,
        amount: charge.amount,
        currency,
        reference,
        successful: charge.successful,
        message: charge.message,
        response_code: charge.response_code,
        transaction_date: `${day}T23:59:59+00:00`,
        source: RECURRING,
      };
      return [charge, keepPurchase(tx, payment, counters)];
    }),
  );
  next.subscriptions.forEach((subscription, index) => {
    if (subscription !== account.subscriptions[index])
      keepSchedule(tx, { ...subscription, is_active: Number(subscription.is_active) });
  });
  if (next.card.watch !== customer.card_watch)
    tx.update('customers', { card_watch: next.card.watch }, { id: customer.id });
  return { events, subscriptions, purchases };
}

/** Tells whoever wants to know of it. */
function publish(tx: Transaction, publisher: Publisher, due: DueCustomer, bill: Bill): void {
  const { merchant } = due;
  const wanted = bill.events.filter(({ name }) => publisher.isWanted(merchant, name));
  if (wanted.length === 0) return;
  const customer = customerInEvent(tx, due);
  for (const event of wanted)
    publisher.publish(merchant, occasionOf(event, customer, bill, tx.dialect));
}

function occasionOf(
  event: BillingEvent,
  customer: CustomerInEvent,
  { subscriptions, purchases }: Pick<Bill, 'subscriptions' | 'purchases'>,
  dialect: Dialect,
): Occasion {
  if (!('subscription' in event)) return { name: event.name, customer };
  const { reference } = billed(subscriptions, event.subscription.id);
  const purchase = 'charge' in event ? purchases.get(event.charge) : undefined;
  return {
    name: event.name,
    customer,
    subscription: { ...event.subscription, reference },
    ...(purchase && { purchase: purchaseRecord(purchase, customer, dialect) }),
  };
}

function billed(subscriptions: ById, id: string): DueSubscription {
  const subscription = subscriptions.get(id);
  invariant(subscription, `subscription ${id} was not billed`);
  return subscription;
}
