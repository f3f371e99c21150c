/**
 * A customer's account over the days that one transaction bills: what `emulator/rules/billing.ts` says of each, and
 * what is left of it at the end, which is written once.
 */
import { keepSchedule } from '../resources/subscriptions.ts';
import {
  type Account,
  type BillingEvent,
  billDay,
  type Charge,
  nextDayOf,
} from '../rules/billing.ts';
import type { Transaction } from '../store.ts';
import type { DueAccount } from './due-accounts.ts';

/** What a day brought to an account. */
export interface AccountDay {
  due: DueAccount;
  /** `YYYY-MM-DD` */
  day: string;
  /** Which it was of the days that were billed. */
  index: number;
  charges: readonly Charge[];
  events: readonly BillingEvent[];
}

/**
 * Bills the account on those of the days that change it, and writes how it is then. What the days brought is
 * for the caller to keep, since the ids that are given out are in the order of the days.
 * @param days one after the other
 */
export function billAccount(
  tx: Transaction,
  due: DueAccount,
  days: readonly string[],
): AccountDay[] {
  const { customer, subscriptions } = due;
  const before: Account = {
    card: { behaviour: customer.behaviour, expiry: customer.expiry, watch: customer.card_watch },
    subscriptions: subscriptions.map((row) => ({ ...row, is_active: true })),
  };
  const accountDays: AccountDay[] = [];
  let account = before;
  let wanted = nextDayOf(account, days[0] ?? '');
  days.forEach((day, index) => {
    if (day !== wanted) return;
    const { next, charges, events } = billDay(account, day);
    accountDays.push({ due, day, index, charges, events });
    account = next;
    wanted = nextDayOf(account, days[index + 1] ?? day);
  });

  account.subscriptions.forEach((subscription, index) => {
    if (subscription !== before.subscriptions[index])
      keepSchedule(tx, { ...subscription, is_active: Number(subscription.is_active) });
  });
  const { watch } = account.card;
  if (watch !== customer.card_watch)
    tx.update('customers', { card_watch: watch }, { id: customer.id });
  return accountDays;
}
