/**
 * Billing days of the store: what `emulator/rules/billing.ts` decides, loaded and written.
 *
 * `billing_day` of the store is the first day that is not billed yet. A day is billed at its end, when
 * the gateway's time has passed into the next one, all of it in one transaction, and accounts
 * in the order in which their customers were made, so that ids and events come in the same order every
 * time. Whoever opens the store bills the days that have passed:
 * a request, the server as its clock moves, `gw emulator advance`.
 *
 * Where nobody is told of events, one transaction bills several days (`days-at-once.ts`): all of them of
 * one account and then of the next, so that each is loaded and written once. What they brought is kept
 * day by day all the same.
 */

import { addDays } from '../../base/calendar.ts';
import type { EventName } from '../../contract/webhooks/names.ts';
import { invariant } from '../../failure.ts';
import { openPublisher, pruneLog } from '../deliveries/queue.ts';
import { countTransactions } from '../resources/cards.ts';
import type { Store, Transaction } from '../store.ts';
import { type AccountDay, billAccount } from './account-days.ts';
import { daysAtOnce } from './days-at-once.ts';
import { dueAccounts } from './due-accounts.ts';
import { type BilledCharges, paymentsOf, storeCharges } from './store-charges.ts';

/** More would take longer than anybody waits: ten years and a bit. */
export const MAX_DAYS = 3_700;

/** How many events of each name a day had. */
export type DayCounts = Record<EventName, number>;

export interface BilledStoredDay {
  /** `YYYY-MM-DD` */
  day: string;
  events: DayCounts;
}

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
      const today = tx.today;
      const day = tx.billingDay;
      const earliest = addDays(today, -MAX_DAYS);
      const isForgotten = day < earliest;
      billStoredDays(tx, isForgotten ? earliest : day, addDays(today, -1));
    });
  }
}

/**
 * Bills days and makes the one after them the first that is not billed.
 * @param first `YYYY-MM-DD`
 * @param last no later one is billed; its end must have come, or come with this
 * @returns the days that were billed: `first` alone where there are hooks, which hear of a day at its end
 */
export function billStoredDays(tx: Transaction, first: string, last: string): BilledStoredDay[] {
  const publisher = openPublisher(tx, endOf(first));
  const days = publisher.hasHooks ? [first] : daysAtOnce(tx, first, last);
  const until = days.at(-1) ?? first;
  const billed = days.map(newDay);
  const keepAll = () => {
    for (const day of billed) storeCharges(tx, day, publisher);
  };
  for (const accounts of dueAccounts(tx, until)) {
    const found = accounts.flatMap((account) => billAccount(tx, account, days));
    countCharges(tx, found);
    for (const accountDay of found) {
      const day = billed[accountDay.index];
      invariant(day, 'a day was billed that was not asked for');
      for (const { name } of accountDay.events) day.events[name]++;
      day.payments.push(...paymentsOf(accountDay, day.transaction_date));
      // What nobody hears of would be much to remember.
      if (publisher.hasHooks) day.heard.push(accountDay);
    }
    // What a single day brings is in its order already, and may be much.
    if (days.length === 1) keepAll();
  }
  keepAll();
  tx.setBillingDay(addDays(until, 1));
  pruneLog(tx);
  return billed.map(({ day, events }) => ({ day, events }));
}

/** Counts charges with their cards. */
function countCharges(tx: Transaction, accountDays: readonly AccountDay[]): void {
  const counts = new Map<string, number>();
  for (const { due, charges } of accountDays) {
    const { token } = due.customer;
    counts.set(token, (counts.get(token) ?? 0) + charges.length);
  }
  countTransactions(tx, counts);
}

function newDay(day: string): BilledStoredDay & BilledCharges & { transaction_date: string } {
  const events: DayCounts = {
    'charge:pending': 0,
    'charge:successful': 0,
    'charge:retry': 0,
    'charge:failed': 0,
    'card:expiring': 0,
    'card:expired': 0,
  };
  return { day, transaction_date: `${day}T23:59:59+00:00`, events, payments: [], heard: [] };
}
