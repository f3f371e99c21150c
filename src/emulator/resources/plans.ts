/**
 * Plans (section 2.5): endpoints 6 to 9.
 *
 * Only listings and updates have `currency` and `subscription_count`, as in the interface. A plan is in use once it has
 * had a subscription, active or not. Its amount and reference can then no longer change (section 2.5); an attempt is a
 * 501 (row 9 of section 4). Before that, the whole plan may change. `subscription_count` counts all of its
 * subscriptions. A plan is found by id, and in the deployed dialect also by reference.
 */

import type * as z from 'zod/mini';
import type { JsonObject } from '../../base/json.ts';
import type { BodySchema } from '../../contract/field-schemas.ts';
import { planCreate, planList, planUpdate } from '../../contract/resources/plan.ts';
import { allRows, insert, onlyRow, update } from '../../store/sql.ts';
import type { Transaction } from '../store.ts';
import { type Handler, Refusal, type Refuse } from './handler.ts';
import { newId } from './ids.ts';
import type { Merchant } from './merchants.ts';
import { findRecord, referenceFaults } from './record-lookup.ts';
import { accept, fieldName, pick, readQuery, refusing } from './validation.ts';

/** The interface states no page size; these are the test gateway's. */
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

type PlanChanges = { amount?: number | undefined; reference?: string | undefined };

export type NewPlan = z.infer<BodySchema<typeof planCreate.body>>;

const createPlan: Handler = (tx, call) => {
  const { merchant, body } = call;
  const refuse = refusing(planCreate, body, RECORD_FIELDS);
  const plan = accept(planCreate.body, call, refuse, (right) =>
    referenceFaults(tx, merchant, 'plans', { reference: right.reference }),
  );
  return { response: planRecord(storePlan(tx, merchant, plan)) };
};

/** Stores a checked plan. */
export function storePlan(tx: Transaction, merchant: Merchant, plan: NewPlan): PlanRow {
  const row: PlanRow = {
    id: newId(tx, 'plans', merchant.prefix),
    reference: plan.reference,
    name: plan.name,
    description: plan.description,
    amount: plan.amount,
    currency: merchant.currency,
  };
  tx.do(insert('plans', { ...row, merchant: merchant.prefix }));
  return row;
}

const listPlans: Handler = (tx, { merchant, query }) => {
  const { limit, page } = pagingOf(readQuery(planList.query, query, tx.dialect));
  const { total } = tx.do(
    onlyRow<{ total: number }>('SELECT count(*) AS total FROM plans WHERE merchant = ?', [
      merchant.prefix,
    ]),
  );
  const plans = tx.do(
    allRows<PlanRow & { subscription_count: number }>(
      `SELECT *, (SELECT count(*) FROM subscriptions WHERE plan = plans.id) AS subscription_count
     FROM plans WHERE merchant = ? ORDER BY rowid LIMIT ? OFFSET ?`,
      [merchant.prefix, limit, (page - 1) * limit],
    ),
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

const updatePlan: Handler = (tx, call) => {
  const { merchant, key } = call;
  const plan = findPlan(tx, merchant, key);
  const count = subscriptionCount(tx, plan);
  const refuse: Refuse = (...errors) => new Refusal(501, errors, fullRecord(plan, count));
  const changes = accept(planUpdate.body, call, refuse, (right) => [
    ...(count > 0 ? frozenFaults(plan, right) : []),
    ...referenceFaults(tx, merchant, 'plans', { reference: right.reference, exceptId: plan.id }),
  ]);
  const changed: PlanRow = {
    ...plan,
    name: changes.name ?? plan.name,
    description: changes.description ?? plan.description,
    amount: changes.amount ?? plan.amount,
    reference: changes.reference ?? plan.reference,
  };
  const { name, description, amount, reference } = changed;
  tx.do(update('plans', { name, description, amount, reference }, { id: plan.id }));
  return { response: fullRecord(changed, count) };
};

function findPlan(tx: Transaction, merchant: Merchant, key: string): PlanRow {
  return findRecord(tx, merchant, { table: 'plans', key });
}

function subscriptionCount(tx: Transaction, plan: PlanRow): number {
  return tx.do(
    onlyRow<{ count: number }>('SELECT count(*) AS count FROM subscriptions WHERE plan = ?', [
      plan.id,
    ]),
  ).count;
}

/** @returns a message for each change that a plan in use does not allow (section 2.5) */
function frozenFaults(plan: PlanRow, changes: PlanChanges): string[] {
  return (['amount', 'reference'] as const)
    .filter((field) => changes[field] !== undefined && changes[field] !== plan[field])
    .map((field) => `${fieldName(field)} cannot be changed once the plan is in use`);
}

/** A `limit` above the largest page size means the largest. */
export function pagingOf({ limit = DEFAULT_PAGE_SIZE, offset = 1 }: Paging) {
  return { limit: Math.min(limit, MAX_PAGE_SIZE), page: offset };
}

type Paging = { limit?: number | undefined; offset?: number | undefined };

const RECORD_FIELDS = ['id', 'name', 'reference', 'description', 'amount'] as const;

const planRecord = (plan: PlanRow) => pick(plan, RECORD_FIELDS);

function fullRecord(plan: PlanRow, subscriptionCount: number): JsonObject {
  return { ...planRecord(plan), currency: plan.currency, subscription_count: subscriptionCount };
}

export const planHandlers = {
  'plan create': createPlan,
  'plan list': listPlans,
  'plan get': getPlan,
  'plan update': updatePlan,
};
