/**
 * Customers that have something due by a day, with what billing them goes by: found by index, in the
 * order in which they were made, and loaded many at a time, since a statement for each of ten thousand
 * costs more than billing them does.
 */
import type { CardBehaviour } from '../../contract/cards/test-cards.ts';
import type { EventCustomer } from '../../contract/webhooks/payload.ts';
import type { PaidCard } from '../resources/purchases.ts';
import type { BilledSubscription } from '../rules/billing.ts';
import type { Transaction } from '../store.ts';

const MOST_AT_ONCE = 500;

export interface DueCustomer {
  /** Of its row. */
  position: number;
  id: string;
  merchant: string;
  card_watch: string | null;
  /** Of its card. */
  token: string;
  expiry: string;
  behaviour: CardBehaviour;
}

/** An active one. */
export interface DueSubscription extends Omit<BilledSubscription, 'is_active'> {
  /** Id of its customer. */
  customer: string;
  reference: string;
  currency: string;
}

export interface DueAccount {
  customer: DueCustomer;
  subscriptions: readonly DueSubscription[];
}

/**
 * @param until the last day on which something may be due
 * @returns the accounts in parts; what is due is looked for at the first, so they may be written meanwhile
 */
export function* dueAccounts(tx: Transaction, until: string): Generator<DueAccount[]> {
  const positions = duePositions(tx, until);
  for (let start = 0; start < positions.length; start += MOST_AT_ONCE)
    yield load(tx, positions.slice(start, start + MOST_AT_ONCE));
}

function duePositions(tx: Transaction, until: string): number[] {
  const rows = tx.all<{ position: number }>(
    `SELECT rowid AS position FROM customers WHERE id IN (
       SELECT customer FROM subscriptions WHERE is_active = 1 AND next_billing_date <= :until
       UNION SELECT customer FROM subscriptions WHERE is_active = 1 AND retry_date <= :until
       UNION SELECT id FROM customers WHERE card_watch <= :until)
     ORDER BY rowid`,
    { until },
  );
  return rows.map(({ position }) => position);
}

function load(tx: Transaction, positions: readonly number[]): DueAccount[] {
  const list = JSON.stringify(positions);
  const subscriptions = new Map<string, DueSubscription[]>();
  for (const subscription of tx.all<DueSubscription>(SUBSCRIPTIONS, list)) {
    const others = subscriptions.get(subscription.customer);
    if (others) others.push(subscription);
    else subscriptions.set(subscription.customer, [subscription]);
  }
  return tx.all<DueCustomer>(CUSTOMERS, list).map((customer) => ({
    customer,
    subscriptions: subscriptions.get(customer.id) ?? [],
  }));
}

/** In the order of the list. CROSS JOIN keeps SQLite from another order of tables. */
const CUSTOMERS = `
  SELECT c.rowid AS position, c.id, c.merchant, c.card_watch, k.token, k.expiry, k.behaviour
  FROM json_each(?) due CROSS JOIN customers c ON c.rowid = due.value
  CROSS JOIN cards k ON k.token = c.card_token ORDER BY due.id`;

const SUBSCRIPTIONS = `
  SELECT s.id, s.customer, s.reference, s.frequency, s.start_date, s.end_date, s.next_billing_date,
    s.retry_date, s.retries_used, s.last_status, p.amount, p.currency
  FROM json_each(?) due CROSS JOIN customers c ON c.rowid = due.value
  CROSS JOIN subscriptions s ON s.customer = c.id AND s.is_active = 1
  CROSS JOIN plans p ON p.id = s.plan ORDER BY due.id, s.rowid`;

/** What an event says of a customer and its card. */
export type CustomerInEvent = EventCustomer & PaidCard;

export function customerInEvent(tx: Transaction, { position }: DueCustomer): CustomerInEvent {
  return tx.one<CustomerInEvent>(
    `SELECT c.id, c.email, c.first_name, c.last_name, c.reference,
       k.token, k.card_holder, k.card_number, k.card_type, k.expiry
     FROM customers c JOIN cards k ON k.token = c.card_token WHERE c.rowid = ?`,
    position,
  );
}
