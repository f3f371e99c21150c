/**
 * Bills days in the store: loads the accounts, applies `emulator/rules/billing.ts`, and writes the results.
 *
 * `billing_day` in the store is the first day that is not billed yet. A day is billed at its end, when the gateway's
 * time has reached the next one, in one transaction. Accounts are billed in the order in which their customers were
 * created, so ids and events are the same in every run. Every process that opens the store bills the days that have
 * passed: a request, the server as its clock moves, `gw emulator advance`.
 */

import { addDays } from '../../base/calendar.ts';
import type { EventName } from '../../contract/webhooks/names.ts';
import type { Occasion } from '../../contract/webhooks/payload.ts';
import { pruneLog, queueEvent } from '../deliveries/queue.ts';
import { type PurchaseRow, purchaseAnswer } from '../resources/purchases.ts';
import { type BillingEvent, billDay } from '../rules/billing.ts';
import type { Store, Transaction } from '../store.ts';
import { billedOne, type DueAccount, dueAccounts, keepBilled } from './due-accounts.ts';

/** The most days that are billed at once, a little over ten years; more would take too long. */
export const MAX_DAYS = 3_700;

/** The number of events of each name on a day. */
export type DayCounts = Record<EventName, number>;

/** @returns the instant at which a day ends and is billed */
export function endOf(day: string): Date {
  return new Date(`${addDays(day, 1)}T00:00:00.000Z`);
}

/** Bills the days that have passed, but only the last `MAX_DAYS`: earlier ones are skipped. */
export function catchUp(store: Store): void {
  while (store.read((tx) => tx.isBehind)) {
    store.write((tx) => {
      // Another process may have billed it first.
      if (!tx.isBehind) return;
      const earliest = addDays(tx.today, -MAX_DAYS);
      const isForgotten = tx.billingDay < earliest;
      billStoredDay(tx, isForgotten ? earliest : tx.billingDay);
    });
  }
}

/**
 * Bills a day, and makes the next day the first that is not billed.
 * @param day `YYYY-MM-DD`; its end has come, or comes in the same transaction
 */
export function billStoredDay(tx: Transaction, day: string): DayCounts {
  const counts: DayCounts = {
    'charge:pending': 0,
    'charge:successful': 0,
    'charge:retry': 0,
    'charge:failed': 0,
    'card:expiring': 0,
    'card:expired': 0,
  };
  for (const account of dueAccounts(tx, day)) {
    const billed = billDay(account, day);
    const purchases = keepBilled(tx, account, billed, day);
    const { merchant } = account.customer;
    for (const event of billed.events) {
      counts[event.name]++;
      const purchase =
        'charge' in event ? purchases[billed.charges.indexOf(event.charge)] : undefined;
      const occasion = () => occasionOf(tx, event, account, purchase);
      queueEvent(tx, { merchant, name: event.name, at: endOf(day), occasion });
    }
  }
  tx.setBillingDay(addDays(day, 1));
  pruneLog(tx);
  return counts;
}

function occasionOf(
  tx: Transaction,
  event: BillingEvent,
  { customer, subscriptions }: DueAccount,
  purchase: PurchaseRow | undefined,
): Occasion {
  if (!('subscription' in event)) return { name: event.name, customer };
  const { reference } = billedOne(subscriptions, event.subscription.id);
  return {
    name: event.name,
    customer,
    subscription: { ...event.subscription, reference },
    ...(purchase && { purchase: purchaseAnswer(purchase, customer, tx.dialect) }),
  };
}
