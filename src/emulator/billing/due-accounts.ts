/**
 * Loads the accounts that a day bills, by an index, and writes their new state.
 *
 * Tests: test/unit/emulator/billing/billing-run.test.ts
 */

import type { CardBehaviour } from '../../contract/cards/test-cards.ts';
import type { EventCustomer } from '../../contract/webhooks/payload.ts';
import { allRows, update } from '../../store/sql.ts';
import { countTransactions } from '../resources/cards.ts';
import { keepPurchase, type PaidCard, type PurchaseRow } from '../resources/purchases.ts';
import { keepSchedule } from '../resources/subscriptions.ts';
import type { Account, BilledDay, BilledSubscription } from '../rules/billing.ts';
import type { Transaction } from '../store.ts';

/** A customer and its card. */
export interface DueCustomer extends EventCustomer, PaidCard {
  /** The prefix of the merchant. */
  merchant: string;
  behaviour: CardBehaviour;
  card_watch: string | null;
}

interface DueSubscription extends BilledSubscription {
  reference: string;
  currency: string;
}

export interface DueAccount extends Account {
  customer: DueCustomer;
  /** The active subscriptions. */
  subscriptions: readonly DueSubscription[];
}

/** @returns the accounts with something due by the end of the day, in the order of their creation */
export function dueAccounts(tx: Transaction, day: string): DueAccount[] {
  return tx.do(allRows<DueCustomer>(CUSTOMERS, { day })).map((customer) => ({
    customer,
    card: { behaviour: customer.behaviour, expiry: customer.expiry, watch: customer.card_watch },
    subscriptions: tx
      .do(allRows<Omit<DueSubscription, 'is_active'>>(SUBSCRIPTIONS, [customer.id]))
      .map((row) => ({ ...row, is_active: true })),
  }));
}

const CUSTOMERS = `
  SELECT c.id, c.merchant, c.email, c.first_name, c.last_name, c.reference, c.card_watch,
    k.token, k.card_holder, k.card_number, k.card_type, k.expiry, k.behaviour
  FROM customers c JOIN cards k ON k.token = c.card_token
  WHERE c.id IN (
    SELECT customer FROM subscriptions WHERE is_active = 1 AND next_billing_date <= :day
    UNION SELECT customer FROM subscriptions WHERE is_active = 1 AND retry_date <= :day
    UNION SELECT id FROM customers WHERE card_watch <= :day)
  ORDER BY c.rowid`;

const SUBSCRIPTIONS = `
  SELECT s.id, s.reference, s.frequency, s.start_date, s.end_date, s.next_billing_date,
    s.retry_date, s.retries_used, s.last_status, p.amount, p.currency
  FROM subscriptions s JOIN plans p ON p.id = s.plan
  WHERE s.customer = ? AND s.is_active = 1 ORDER BY s.rowid`;

/**
 * Writes the result of a day for an account. Charges are purchases with the source Recurring and the subscription's
 * reference. A declined one has an id, unlike a declined purchase by token. The merchant never saw an answer, so it
 * must be able to look the charge up.
 * @returns the purchases of the charges, in their order
 */
export function keepBilled(
  tx: Transaction,
  { customer, card, subscriptions }: DueAccount,
  { next, charges }: BilledDay,
  day: string,
): PurchaseRow[] {
  const { id, merchant, token } = customer;
  for (const [index, subscription] of next.subscriptions.entries()) {
    if (subscription !== subscriptions[index])
      keepSchedule(tx, { ...subscription, is_active: Number(subscription.is_active) });
  }
  if (next.card.watch !== card.watch)
    tx.do(update('customers', { card_watch: next.card.watch }, { id }));
  countTransactions(tx, token, charges.length);
  return charges.map(({ subscription, amount, successful, message, response_code }) => {
    const { currency, reference } = billedOne(subscriptions, subscription);
    return keepPurchase(tx, {
      merchant,
      card_token: token,
      amount,
      currency,
      reference,
      successful,
      message,
      response_code,
      transaction_date: `${day}T23:59:59+00:00`,
      source: 'Recurring',
      metadata: null,
    });
  });
}

/** @returns the subscription with the id */
export function billedOne<Subscription extends { id: string }>(
  subscriptions: readonly Subscription[],
  id: string,
): Subscription {
  return subscriptions.find((one) => one.id === id)!;
}
