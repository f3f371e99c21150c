/**
 * Plans (section 2.5): endpoints 6 to 9.
 *
 * `currency` and `subscription_count` are in listings and updates only, as the interface has it.
 * A plan is in use once a subscription was made for it, active or not; from then on its amount and
 * reference stay. `subscription_count` counts those subscriptions. A plan is found by its id or its
 * reference.
 */
import type * as z from 'zod/mini';
import type { JsonObject } from '../../base/json.ts';
import { type BodySchema, bodySchema, fieldSchema } from '../../contract/field-schemas.ts';
import { planCreate, planList } from '../../contract/plan.ts';
import type { Transaction } from '../store.ts';
import type { Handler, Handlers } from './handler.ts';
import { recordId } from './id-sequence.ts';
import type { Merchant } from './merchants.ts';
import { findRecord, isReferenceTaken } from './record-lookup.ts';
import { Refusal, type Refuse } from './refusal.ts';
import { accept, integerOf, invalid, pick, taken, textsOf } from './validation.ts';

/** The interface shows no page size; these are the embedded gateway's. */
const DEFAULT_PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 100;

export interface PlanRow {
  id: string;
  reference: string;
  name: string;
  description: string;
  /** Minor units. */
  amount: number;
  currency: string;
}

export type NewPlan = z.infer<BodySchema<typeof planCreate.body>>;

/** All of a plan may change; its row names what the interface shows. */
const planChanges = { ...planCreate.body, isPartial: true } as const;

const createPlan: Handler = (tx, { merchant, body }) => {
  const refuse: Refuse = (...errors) => new Refusal(400, errors, refusedPlan(body));
  const plan = accept(bodySchema(planCreate.body), body, refuse);
  return { response: planRecord(storePlan(tx, merchant, plan, refuse)) };
};

/** Stores a checked plan. @throws what `refuse` makes of a reference that is taken */
export function storePlan(
  tx: Transaction,
  merchant: Merchant,
  plan: NewPlan,
  refuse: Refuse,
): PlanRow {
  if (isReferenceTaken(tx, merchant, { table: 'plans', reference: plan.reference }))
    throw refuse(taken('reference'));
  const row: PlanRow = {
    id: recordId(tx.seed, 'plan', merchant.prefix, tx.next('plan')),
    reference: plan.reference,
    name: plan.name,
    description: plan.description,
    amount: plan.amount,
    currency: merchant.currency,
  };
  tx.insert('plans', { ...row, merchant: merchant.prefix });
  return row;
}

const listPlans: Handler = (tx, { merchant, query }) => {
  const { limit, offset: page } = readPaging(query);
  const { total } = tx.one<{ total: number }>(
    'SELECT count(*) AS total FROM plans WHERE merchant = ?',
    merchant.prefix,
  );
  const plans = tx.all<PlanRow & { subscription_count: number }>(
    `SELECT *, (SELECT count(*) FROM subscriptions WHERE plan = plans.id) AS subscription_count
     FROM plans WHERE merchant = ? ORDER BY rowid LIMIT ? OFFSET ?`,
    merchant.prefix,
    limit,
    (page - 1) * limit,
  );
  return {
    response: plans.map((plan) => fullRecord(plan, plan.subscription_count)),
    counts: {
      records: plans.length,
      total_records: total,
      pages: Math.ceil(total / limit),
      current_page: page,
    },
  };
};

const getPlan: Handler = (tx, { merchant, key }) => ({
  response: planRecord(findPlan(tx, merchant, key)),
});

const updatePlan: Handler = (tx, { merchant, key, body }) => {
  const plan = findPlan(tx, merchant, key);
  const count = subscriptionCount(tx, plan);
  const refuse: Refuse = (...errors) => new Refusal(501, errors, fullRecord(plan, count));
  const changes = accept(bodySchema(planChanges), body, refuse);
  const changed: PlanRow = {
    ...plan,
    name: changes.name ?? plan.name,
    description: changes.description ?? plan.description,
    amount: changes.amount ?? plan.amount,
    reference: changes.reference ?? plan.reference,
  };
  const { name, description, amount, reference } = changed;

  const errors: string[] = [];
  if (count > 0) {
    if (amount !== plan.amount) errors.push(frozen('Amount'));
    if (reference !== plan.reference) errors.push(frozen('Reference'));
  }
  if (isReferenceTaken(tx, merchant, { table: 'plans', reference, exceptId: plan.id }))
    errors.push(taken('reference'));
  if (errors.length > 0) throw refuse(...errors);

  tx.update('plans', { name, description, amount, reference }, { id: plan.id });
  return { response: fullRecord(changed, count) };
};

function findPlan(tx: Transaction, merchant: Merchant, key: string): PlanRow {
  return findRecord(tx, merchant, { table: 'plans', key, by: ['id', 'reference'] });
}

function subscriptionCount(tx: Transaction, plan: PlanRow): number {
  return tx.one<{ count: number }>(
    'SELECT count(*) AS count FROM subscriptions WHERE plan = ?',
    plan.id,
  ).count;
}

const frozen = (field: string) => `${field} cannot be changed once the plan is in use`;

/** `limit` above the largest page size gets the largest. @throws Refusal 400 */
function readPaging(query: URLSearchParams): { limit: number; offset: number } {
  const errors: string[] = [];
  const read = (name: 'limit' | 'offset', standard: number) => {
    const text = query.get(name);
    if (text === null) return standard;
    const schema = fieldSchema(planList.query[name]);
    const result = schema.safeParse(/^\d+$/.test(text) ? Number(text) : text);
    if (!result.success) errors.push(invalid(name));
    return result.data ?? standard;
  };
  const limit = Math.min(read('limit', DEFAULT_PAGE_SIZE), MAX_PAGE_SIZE);
  const offset = read('offset', 1);
  if (errors.length > 0) throw new Refusal(400, errors);
  return { limit, offset };
}

const RECORD_FIELDS = ['id', 'name', 'reference', 'description', 'amount'] as const;

const planRecord = (plan: PlanRow) => pick(plan, RECORD_FIELDS);

function fullRecord(plan: PlanRow, subscriptionCount: number): JsonObject {
  return { ...planRecord(plan), currency: plan.currency, subscription_count: subscriptionCount };
}

function refusedPlan(body: JsonObject): JsonObject {
  return { ...textsOf(body, RECORD_FIELDS), id: null, amount: integerOf(body.amount) };
}

export const planHandlers = {
  'plan create': createPlan,
  'plan list': listPlans,
  'plan get': getPlan,
  'plan update': updatePlan,
} satisfies Handlers;
