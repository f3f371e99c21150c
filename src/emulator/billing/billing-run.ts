/**
 * Billing days of the store: what `emulator/rules/billing.ts` decides, loaded and written.
 *
 * `billing_day` of the store is the first day that is not billed yet. A day is billed at its end, when
 * the gateway's time has passed into the next one, all of it in one transaction, and accounts
 * in the order in which their customers were made, so that ids and events come in the same order every
 * time. Whoever opens the store bills the days that have passed:
 * a request, the server as its clock moves, `gw emulator advance`.
 */

import { addDays } from '../../base/calendar.ts';
import type { EventName } from '../../contract/webhooks/names.ts';
import type { Occasion } from '../../contract/webhooks/payload.ts';
import { pruneLog, queueEvent } from '../deliveries/queue.ts';
import { type PurchaseRow, purchaseRecord } from '../resources/purchases.ts';
import { type BilledDay, type BillingEvent, billDay } from '../rules/billing.ts';
import type { Store, Transaction } from '../store.ts';
import { billedOne, type DueAccount, dueAccounts, keepBilled } from './due-accounts.ts';

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
  return tx.billingDay < tx.today;
}

/** Bills the days that have passed, at most `MAX_DAYS` of them: those before are left out. */
export function catchUp(store: Store): void {
  while (store.read(isBehind)) {
    store.write((tx) => {
      // Another process may have been first.
      if (!isBehind(tx)) return;
      const earliest = addDays(tx.today, -MAX_DAYS);
      const isForgotten = tx.billingDay < earliest;
      billStoredDay(tx, isForgotten ? earliest : tx.billingDay);
    });
  }
}

/**
 * Bills a day and makes the one after it the first that is not billed.
 * @param day `YYYY-MM-DD`; its end must have come, or come with this
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
      const occasion = () => occasionOf(tx, event, account, purchaseOf(event, billed, purchases));
      queueEvent(tx, { merchant, name: event.name, at: endOf(day), occasion });
    }
  }
  tx.setBillingDay(addDays(day, 1));
  pruneLog(tx);
  return counts;
}

function purchaseOf(
  event: BillingEvent,
  { charges }: BilledDay,
  purchases: readonly PurchaseRow[],
): PurchaseRow | undefined {
  return 'charge' in event ? purchases[charges.indexOf(event.charge)] : undefined;
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
    ...(purchase && { purchase: purchaseRecord(purchase, customer, tx.dialect) }),
  };
}
