/**
 * Billing days of the store: what `billing.ts` decides, loaded and written.
 *
 * `billing_day` of the store is the first day that is not billed yet. A day is billed at its end, when
 * the gateway's time has passed into the next one, all of it in one transaction: accounts that have
 * something due are found by index, in the order in which their customers were made, so that ids and
 * events come in the same order every time. Whoever opens the store bills the days that have passed:
 * a request, the server as its clock moves, `gw emulator advance`.
 *
 * Charges are purchases with the source Recurring and the subscription's reference. A declined one
 * has an id too, unlike a declined purchase by token: the merchant never saw an answer, so it must
 * be possible to look it up.
 */

import type { CardBehaviour } from '../../contract/test-cards.ts';
import type { EventName } from '../../contract/webhook-events.ts';
import { invariant } from '../../failure.ts';
import type { EventCustomer, Occasion } from '../../webhooks/payload.ts';
import { openPublisher, pruneLog } from '../deliveries/queue.ts';
import type { Dialect } from '../dialect.ts';
import { dayOf } from '../gateway-clock.ts';
import { countTransaction } from '../resources/cards.ts';
import {
  keepPurchase,
  type PaidCard,
  type PurchaseRow,
  purchaseRecord,
} from '../resources/purchases.ts';
import { keepSchedule } from '../resources/subscriptions.ts';
import type { Store, Transaction } from '../store.ts';
import {
  type Account,
  type BilledSubscription,
  type BillingEvent,
  billDay,
  type Charge,
} from './billing.ts';
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
  for (const { position } of dueCustomers(tx, day)) {
    const customer = tx.one<CustomerToBill>(CUSTOMER_TO_BILL, position);
    const bill = billCustomer(tx, customer, day);
    for (const event of bill.events) {
      counts[event.name]++;
      if (publisher.isWanted(customer.merchant, event.name))
        publisher.publish(customer.merchant, occasionOf(event, customer, bill, tx.dialect));
    }
  }
  tx.setBillingDay(addDays(day, 1));
  pruneLog(tx);
  return counts;
}

function dueCustomers(tx: Transaction, day: string): { position: number }[] {
  return tx.all(
    `SELECT rowid AS position FROM customers WHERE id IN (
       SELECT customer FROM subscriptions WHERE is_active = 1 AND next_billing_date <= :day
       UNION SELECT customer FROM subscriptions WHERE is_active = 1 AND retry_date <= :day
       UNION SELECT id FROM customers WHERE card_watch <= :day)
     ORDER BY rowid`,
    { day },
  );
}

interface CustomerToBill extends EventCustomer, PaidCard {
  merchant: string;
  card_watch: string | null;
  behaviour: CardBehaviour;
}

const CUSTOMER_TO_BILL = `
  SELECT c.id, c.merchant, c.email, c.first_name, c.last_name, c.reference, c.card_watch,
    k.token, k.card_holder, k.card_number, k.card_type, k.expiry, k.behaviour
  FROM customers c JOIN cards k ON k.token = c.card_token WHERE c.rowid = ?`;

interface SubscriptionToBill extends Omit<BilledSubscription, 'is_active'> {
  reference: string;
  currency: string;
}

type ById = ReadonlyMap<string, SubscriptionToBill>;
type Purchases = ReadonlyMap<Charge, PurchaseRow>;

/** Bills a customer's account and writes what came of it. */
function billCustomer(tx: Transaction, customer: CustomerToBill, day: string) {
  const rows = tx.all<SubscriptionToBill>(
    `SELECT s.id, s.reference, s.frequency, s.start_date, s.end_date, s.next_billing_date, s.retry_date,
       s.retries_used, s.last_status, p.amount, p.currency
     FROM subscriptions s JOIN plans p ON p.id = s.plan
     WHERE s.customer = ? AND s.is_active = 1 ORDER BY s.rowid`,
    customer.id,
  );
  const account: Account = {
    card: { behaviour: customer.behaviour, expiry: customer.expiry, watch: customer.card_watch },
    subscriptions: rows.map((row) => ({ ...row, is_active: true })),
  };
  const { next, charges, events } = billDay(account, day);

  const subscriptions: ById = new Map(rows.map((row) => [row.id, row]));
  const purchases: Purchases = new Map(
    charges.map((charge) => {
      countTransaction(tx, customer);
      const { currency, reference } = billed(subscriptions, charge.subscription);
      const purchase = keepPurchase(tx, {
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
      });
      return [charge, purchase];
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

function occasionOf(
  event: BillingEvent,
  customer: CustomerToBill,
  { subscriptions, purchases }: { subscriptions: ById; purchases: Purchases },
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

function billed(subscriptions: ById, id: string): SubscriptionToBill {
  const subscription = subscriptions.get(id);
  invariant(subscription, `subscription ${id} was not billed`);
  return subscription;
}
