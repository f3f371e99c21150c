/**
 * Keeps what a day brought to accounts, and tells whoever wants to know of it.
 *
 * Charges are purchases with the source Recurring and the subscription's reference. A declined one
 * has an id too, unlike a declined purchase by token: the merchant never saw an answer, so it must
 * be possible to look it up.
 */

import type { Occasion } from '../../contract/webhooks/payload.ts';
import { invariant } from '../../failure.ts';
import type { Publisher } from '../deliveries/queue.ts';
import type { Dialect } from '../dialect.ts';
import {
  keepPurchases,
  type NewPurchase,
  type PurchaseRow,
  purchaseRecord,
} from '../resources/purchases.ts';
import type { BillingEvent } from '../rules/billing.ts';
import type { Transaction } from '../store.ts';
import type { AccountDay } from './account-days.ts';
import {
  type CustomerInEvent,
  customerInEvent,
  type DueAccount,
  type DueSubscription,
} from './due-accounts.ts';

const RECURRING = 'Recurring';

/** The purchases that a day's charges are, in their order. */
type Purchases = readonly PurchaseRow[];

/** What a day brought, in the order in which it is numbered. */
export interface BilledCharges {
  payments: NewPurchase[];
  /** Whose events somebody may hear of; `payments` has the charges of all of these, and of no other then. */
  heard: AccountDay[];
}

/** Keeps all of it, and leaves nothing in it. */
export function storeCharges(tx: Transaction, brought: BilledCharges, publisher: Publisher): void {
  const purchases = keepPurchases(tx, brought.payments.splice(0));
  let next = 0;
  for (const accountDay of brought.heard.splice(0)) {
    const { length } = accountDay.charges;
    publish(tx, publisher, accountDay, purchases.slice(next, next + length));
    next += length;
  }
}

/** @param transaction_date when the day's charges were made */
export function paymentsOf({ due, charges }: AccountDay, transaction_date: string): NewPurchase[] {
  const { merchant, token } = due.customer;
  return charges.map((charge) => {
    const { currency, reference } = billed(due, charge.subscription);
    return {
      merchant,
      card_token: token,
      amount: charge.amount,
      currency,
      reference,
      successful: charge.successful,
      message: charge.message,
      response_code: charge.response_code,
      transaction_date,
      source: RECURRING,
    };
  });
}

function publish(
  tx: Transaction,
  publisher: Publisher,
  { due, charges, events }: AccountDay,
  purchases: Purchases,
): void {
  const { merchant } = due.customer;
  const wanted = events.filter(({ name }) => publisher.isWanted(merchant, name));
  if (wanted.length === 0) return;
  const customer = customerInEvent(tx, due.customer);
  for (const event of wanted) {
    const purchase = 'charge' in event ? purchases[charges.indexOf(event.charge)] : undefined;
    publisher.publish(merchant, occasionOf(event, { due, customer, purchase }, tx.dialect));
  }
}

function occasionOf(
  event: BillingEvent,
  {
    due,
    customer,
    purchase,
  }: { due: DueAccount; customer: CustomerInEvent; purchase: PurchaseRow | undefined },
  dialect: Dialect,
): Occasion {
  if (!('subscription' in event)) return { name: event.name, customer };
  const { reference } = billed(due, event.subscription.id);
  return {
    name: event.name,
    customer,
    subscription: { ...event.subscription, reference },
    ...(purchase && { purchase: purchaseRecord(purchase, customer, dialect) }),
  };
}

function billed({ subscriptions }: DueAccount, id: string): DueSubscription {
  const subscription = subscriptions.find((one) => one.id === id);
  invariant(subscription, `subscription ${id} was not billed`);
  return subscription;
}
