/**
 * Subscriptions (sections 2.7 and 3.2): endpoints 14 to 16.
 *
 * `start_date` is the anchor of the schedule and today where none is sent; `next_billing_date` is
 * the first due date from today on, and null once that is past `end_date`. A stopped subscription
 * keeps its date. Resuming one goes on with the first due date that is neither past nor billed
 * already, and clears a failed charge. A subscription is found by reference or id.
 */
import type * as z from 'zod/mini';
import type { JsonObject } from '../../base/json.ts';
import { type BodySchema, bodySchema } from '../../contract/field-schemas.ts';
import {
  FREQUENCIES,
  subscriptionCreate,
  subscriptionUpdate,
} from '../../contract/subscription.ts';
import { type Frequency, firstDueFrom, notPast } from '../billing/schedule.ts';
import { dayOf } from '../gateway-clock.ts';
import type { Transaction } from '../store.ts';
import type { Handler, Handlers } from './handler.ts';
import { recordId } from './id-sequence.ts';
import type { Merchant } from './merchants.ts';
import { findRecord, isReferenceTaken, lookUp } from './record-lookup.ts';
import { Refusal, type Refuse } from './refusal.ts';
import { accept, invalid, pick, taken, textsOf } from './validation.ts';

const SCHEDULED = 'Scheduled';

export interface SubscriptionRow {
  id: string;
  reference: string;
  /** Id of the customer; a deleted one too. */
  customer: string;
  /** Id of the plan. */
  plan: string;
  frequency: Frequency;
  start_date: string;
  end_date: string | null;
  next_billing_date: string | null;
  /** Day on which a failed charge is tried again. */
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

const createSubscription: Handler = (tx, { merchant, body }) => {
  const refuse: Refuse = (...errors) => new Refusal(400, errors, refusedSubscription(body));
  const subscription = accept(bodySchema(subscriptionCreate.body), body, refuse);
  return { response: subscriptionRecord(storeSubscription(tx, merchant, subscription, refuse)) };
};

/**
 * Stores a checked subscription.
 * @throws what `refuse` makes of an unknown customer, plan or frequency, an end before the start,
 *   or a reference that is taken; Refusal 403 when customer or plan are another merchant's
 */
export function storeSubscription(
  tx: Transaction,
  merchant: Merchant,
  subscription: NewSubscription,
  refuse: Refuse,
): SubscriptionRow {
  const customer = findEither(tx, 'customers', merchant, subscription.customer);
  const plan = findEither(tx, 'plans', merchant, subscription.plan);
  const frequency = FREQUENCIES.find((known) => known === subscription.frequency);
  const today = dayOf(tx.now);
  const { reference, start_date = today } = subscription;
  const end_date = subscription.end_date ?? null;

  if (!customer) throw refuse(`Customer ${subscription.customer} could not be found`);
  if (!plan) throw refuse(`Plan ${subscription.plan} could not be found`);
  if (!frequency) throw refuse(invalid('frequency'));
  if (end_date !== null && end_date < start_date) throw refuse(invalid('end_date'));
  if (isReferenceTaken(tx, merchant, { table: 'subscriptions', reference }))
    throw refuse(taken('reference'));

  const row: SubscriptionRow = {
    id: recordId(tx.seed, 'subscription', merchant.prefix, tx.next('subscription')),
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
  tx.insert('subscriptions', { ...row, merchant: merchant.prefix });
  return row;
}

const getSubscription: Handler = (tx, { merchant, key }) => ({
  response: subscriptionRecord(
    findRecord(tx, merchant, { table: 'subscriptions', key, by: ['reference', 'id'] }),
  ),
});

const updateSubscription: Handler = (tx, { merchant, key, body }) => {
  const subscription = findRecord<SubscriptionRow>(tx, merchant, {
    table: 'subscriptions',
    key,
    by: ['id', 'reference'],
  });
  const refuse: Refuse = (...errors) => new Refusal(400, errors, subscriptionRecord(subscription));
  const { is_active } = accept(bodySchema(subscriptionUpdate.body), body, refuse);

  if (is_active === (subscription.is_active === 1))
    return { response: subscriptionRecord(subscription) };
  if (
    is_active &&
    !lookUp(tx, merchant, { table: 'customers', key: subscription.customer, by: ['id'] })
  )
    throw refuse(`Customer ${subscription.customer} could not be found`);
  const changed = is_active
    ? resumed(subscription, dayOf(tx.now))
    : { ...subscription, is_active: 0 };
  keepSchedule(tx, changed);
  return { response: subscriptionRecord(changed) };
};

/** Writes down what billing, stopping and resuming change. */
export function keepSchedule(
  tx: Transaction,
  { id, is_active, next_billing_date, retry_date, retries_used, last_status }: Schedule,
): void {
  const changes = { is_active, next_billing_date, retry_date, retries_used, last_status };
  tx.update('subscriptions', changes, { id });
}

/** Stops the subscriptions of a customer that goes. */
export function stopSubscriptionsOf(tx: Transaction, customerId: string): void {
  tx.run('UPDATE subscriptions SET is_active = 0 WHERE customer = ?', customerId);
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

function findEither(
  tx: Transaction,
  table: 'customers' | 'plans',
  merchant: Merchant,
  idOrReference: string,
): { id: string } | undefined {
  return lookUp(tx, merchant, { table, key: idOrReference, by: ['id', 'reference'] });
}

const RECORD_FIELDS = [
  'id',
  'customer',
  'plan',
  'frequency',
  'start_date',
  'end_date',
  'next_billing_date',
  'reference',
  'last_status',
  'is_active',
] as const;

function subscriptionRecord(subscription: SubscriptionRow): JsonObject {
  return { ...pick(subscription, RECORD_FIELDS), is_active: subscription.is_active === 1 };
}

function refusedSubscription(body: JsonObject): JsonObject {
  return {
    ...textsOf(body, RECORD_FIELDS),
    id: null,
    next_billing_date: null,
    last_status: null,
    is_active: false,
  };
}

export const subscriptionHandlers = {
  'subscription create': createSubscription,
  'subscription get': getSubscription,
  'subscription update': updateSubscription,
} satisfies Handlers;
