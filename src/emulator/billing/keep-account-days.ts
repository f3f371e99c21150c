/**
 * Keeps what a day brought to accounts, and tells whoever wants to know of it.
 *
 * Charges are purchases with the source Recurring and the subscription's reference. A declined one
 * has an id too, unlike a declined purchase by token: the merchant never saw an answer, so it must
 * be possible to look it up.
 */
import { invariant } from '../../failure.ts';
import type { Occasion } from '../../webhooks/payload.ts';
import type { Publisher } from '../deliveries/queue.ts';
import type { Dialect } from '../dialect.ts';
import {
  keepPurchases,
  type NewPurchase,
  type PurchaseRow,
  purchaseRecord,
} from '../resources/purchases.ts';
import type { Transaction } from '../store.ts';
import type { AccountDay } from './account-days.ts';
import type { BillingEvent, Charge } from './billing.ts';
import {
  type CustomerInEvent,
  customerInEvent,
  type DueAccount,
  type DueSubscription,
} from './due-accounts.ts';

const RECURRING = 'Recurring';

/** The purchases that a day's charges are, in their order. */
type Purchases = readonly PurchaseRow[];

/** @param brought what one day brought to accounts, in the order in which they are numbered */
export function keepAccountDays(
  tx: Transaction,
  brought: readonly AccountDay[],
  publisher: Publisher,
): void {
  const payments = brought.flatMap((accountDay) =>
    accountDay.charges.map((charge) => paymentOf(charge, accountDay)),
  );
  const purchases = keepPurchases(tx, payments);
  if (!publisher.hasHooks) return;
  let next = 0;
  for (const accountDay of brought) {
    const { length } = accountDay.charges;
    publish(tx, publisher, accountDay, purchases.slice(next, next + length));
    next += length;
  }
}

function paymentOf(charge: Charge, { due, day }: AccountDay): NewPurchase {
  const { customer } = due;
  const { currency, reference } = billed(due, charge.subscription);
  return {
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
