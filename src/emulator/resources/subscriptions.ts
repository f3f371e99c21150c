/**
 * Subscriptions (sections 2.7 and 3.2): endpoints 14 to 16.
 *
 * `start_date` is the anchor of the schedule; the default is today. `next_billing_date` is the first due date from
 * today on, and null if that is after `end_date`. A stopped subscription keeps its date. A resumed one goes on with the
 * first due date that is neither past nor billed. docs/interface-decisions.md, section 3.2, defines retries, expired
 * cards and past end dates.
 */

import type * as z from 'zod/mini';
import type { JsonObject } from '../../base/json.ts';
import { formatExpiry, isExpired, isoMonth, parseExpiry } from '../../contract/expiry.ts';
import type { BodySchema } from '../../contract/field-schemas.ts';
import {
  FREQUENCIES,
  subscriptionCreate,
  subscriptionUpdate,
} from '../../contract/resources/subscription.ts';
import { invariant } from '../../failure.ts';
import { allRows, firstRow, insert, runSql, update } from '../../store/sql.ts';
import { withoutRetry } from '../rules/billing.ts';
import { type Frequency, firstDueFrom, notPast } from '../rules/schedule.ts';
import type { Transaction } from '../store.ts';
import { type Handler, Refusal, type Refuse } from './handler.ts';
import { newId } from './ids.ts';
import type { Merchant } from './merchants.ts';
import { findRecord, lookUp, misplaced, referenceFaults, type Wanted } from './record-lookup.ts';
import { accept, invalid, pick, refusing } from './validation.ts';

const SCHEDULED = 'Scheduled';

export interface SubscriptionRow {
  id: string;
  reference: string;
  /** The id of the customer, who may have been deleted. */
  customer: string;
  /** The id of the plan. */
  plan: string;
  frequency: Frequency;
  start_date: string;
  end_date: string | null;
  next_billing_date: string | null;
  /** The day of the next retry of a failed charge. */
  retry_date: string | null;
  retries_used: number;
  last_status: string;
  /** 1 or 0 */
  is_active: number;
}

type Schedule = Pick<
  SubscriptionRow,
  'id' | 'is_active' | 'next_billing_date' | 'retry_date' | 'retries_used' | 'last_status'
>;

export type NewSubscription = z.infer<BodySchema<typeof subscriptionCreate.body>>;

const createSubscription: Handler = (tx, call) => {
  const { merchant, body } = call;
  const refuse = refusing(subscriptionCreate, body);
  const subscription = accept(subscriptionCreate.body, call, refuse, (right) =>
    subscriptionFaults(tx, merchant, right),
  );
  return { response: subscriptionRecord(storeSubscription(tx, merchant, subscription)) };
};

/**
 * @returns messages for an unknown customer, plan or frequency, an end before the start, and a taken reference
 * @throws Refusal 403 if the customer or the plan belongs to another merchant
 */
export function subscriptionFaults(
  tx: Transaction,
  merchant: Merchant,
  subscription: Partial<NewSubscription>,
): string[] {
  const { customer, plan, frequency, reference, end_date } = subscription;
  const { start_date = tx.today } = subscription;
  return [
    ...(customer === undefined ? [] : missing(tx, merchant, 'Customer', customerBy(customer))),
    ...(plan === undefined ? [] : missing(tx, merchant, 'Plan', planBy(plan))),
    ...(frequency === undefined || frequencyOf(frequency) ? [] : [invalid('frequency')]),
    ...(end_date === undefined || end_date >= start_date ? [] : [invalid('end_date')]),
    ...referenceFaults(tx, merchant, 'subscriptions', { reference }),
  ];
}

/** Stores a checked subscription. */
export function storeSubscription(
  tx: Transaction,
  merchant: Merchant,
  subscription: NewSubscription,
): SubscriptionRow {
  const customer = lookUp<{ id: string }>(tx, merchant, customerBy(subscription.customer));
  const plan = lookUp<{ id: string }>(tx, merchant, planBy(subscription.plan));
  const frequency = frequencyOf(subscription.frequency);
  invariant(customer && plan && frequency, 'a subscription that is accepted lacks something');
  const today = tx.today;
  const { reference, start_date = today } = subscription;
  const end_date = subscription.end_date ?? null;

  const row: SubscriptionRow = {
    id: newId(tx, 'subscriptions', merchant.prefix),
    reference,
    customer: customer.id,
    plan: plan.id,
    frequency,
    start_date,
    end_date,
    next_billing_date: notPast(end_date, firstDueFrom(start_date, frequency, today)),
    retry_date: null,
    retries_used: 0,
    last_status: SCHEDULED,
    is_active: subscription.is_active === false ? 0 : 1,
  };
  tx.do(insert('subscriptions', { ...row, merchant: merchant.prefix }));
  if (row.is_active === 1) watchCardOf(tx, customer.id);
  return row;
}

const getSubscription: Handler = (tx, { merchant, key }) => ({
  response: subscriptionRecord(
    findRecord(tx, merchant, { table: 'subscriptions', key, by: ['reference'], orBy: 'id' }),
  ),
});

const updateSubscription: Handler = (tx, call) => {
  const { merchant, key } = call;
  const subscription = findRecord<SubscriptionRow>(tx, merchant, { table: 'subscriptions', key });
  const refuse: Refuse = (...errors) => new Refusal(400, errors, subscriptionRecord(subscription));
  const { is_active } = accept(subscriptionUpdate.body, call, refuse);

  if (is_active === (subscription.is_active === 1))
    return { response: subscriptionRecord(subscription) };
  if (is_active) refuseUnbillable(tx, subscription, refuse);
  const changed = is_active ? resumed(subscription, tx.today) : stopped(subscription);
  keepSchedule(tx, changed);
  if (is_active) watchCardOf(tx, subscription.customer);
  return { response: subscriptionRecord(changed) };
};

/** Refuses a subscription that could not be charged, because its customer is deleted or its card has expired. */
function refuseUnbillable(
  tx: Transaction,
  { customer: id }: SubscriptionRow,
  refuse: Refuse,
): void {
  const card = tx.do(
    firstRow<{ expiry: string }>(
      'SELECT k.expiry FROM customers c JOIN cards k ON k.token = c.card_token WHERE c.id = ?',
      [id],
    ),
  );
  if (!card) throw refuse(`Customer ${id} could not be found`);
  const expiry = parseExpiry(card.expiry);
  if (expiry && isExpired(isoMonth(expiry), tx.today))
    throw refuse(`Card expired in ${formatExpiry(expiry)}: update the customer's card first`);
}

/** Saves the fields that billing, stopping and resuming change. */
export function keepSchedule(
  tx: Transaction,
  { id, is_active, next_billing_date, retry_date, retries_used, last_status }: Schedule,
): void {
  const changes = { is_active, next_billing_date, retry_date, retries_used, last_status };
  tx.do(update('subscriptions', changes, { id }));
}

/** Stops the subscriptions of a customer that is deleted. */
export function stopSubscriptionsOf(tx: Transaction, customerId: string): void {
  const active = tx.do(
    allRows<SubscriptionRow>('SELECT * FROM subscriptions WHERE customer = ? AND is_active = 1', [
      customerId,
    ]),
  );
  for (const subscription of active) keepSchedule(tx, stopped(subscription));
}

/** Makes billing look at the customer's card again, because a subscription is active again. */
function watchCardOf(tx: Transaction, customerId: string): void {
  tx.do(
    runSql("UPDATE customers SET card_watch = '' WHERE id = ? AND card_watch IS NULL", [
      customerId,
    ]),
  );
}

function stopped(subscription: SubscriptionRow): SubscriptionRow {
  return { ...withoutRetry(subscription), is_active: 0 };
}

function resumed(subscription: SubscriptionRow, today: string): SubscriptionRow {
  const { start_date, end_date, frequency, next_billing_date } = subscription;
  const due = firstDueFrom(start_date, frequency, today);
  const next = next_billing_date !== null && next_billing_date > due ? next_billing_date : due;
  return {
    ...subscription,
    is_active: 1,
    next_billing_date: notPast(end_date, next),
    retry_date: null,
    retries_used: 0,
    last_status: SCHEDULED,
  };
}

/** Section 2.7: a customer by its identifier, a plan by its reference or identifier. */
const customerBy = (key: string): Wanted => ({
  table: 'customers',
  key,
  by: ['id'],
  orBy: 'reference',
});
const planBy = (key: string): Wanted => ({ table: 'plans', key, by: ['id', 'reference'] });

function missing(tx: Transaction, merchant: Merchant, kind: string, wanted: Wanted): string[] {
  if (lookUp(tx, merchant, wanted)) return [];
  return [`${kind} ${wanted.key} could not be found`, ...misplaced(tx, merchant, wanted)];
}

function frequencyOf(text: string): Frequency | undefined {
  return FREQUENCIES.find((known) => known === text);
}

const RECORD_FIELDS = Object.keys(
  subscriptionCreate.response,
) as (keyof typeof subscriptionCreate.response)[];

function subscriptionRecord(subscription: SubscriptionRow): JsonObject {
  return { ...pick(subscription, RECORD_FIELDS), is_active: subscription.is_active === 1 };
}

export const subscriptionHandlers = {
  'subscription create': createSubscription,
  'subscription get': getSubscription,
  'subscription update': updateSubscription,
};
