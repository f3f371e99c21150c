/** The schemas of requests, by the name of their row (operations.ts): what a look-up does without. */
import type * as z from 'zod/mini';
import { tokenizeRequest } from './card.ts';
import { customerRequest, customerUpdate } from './customer.ts';
import type { OPERATIONS, Operation } from './operations.ts';
import { planListQuery, planRequest, planUpdate } from './plan.ts';
import { purchaseRequest } from './purchase.ts';
import { refundRequest } from './refund.ts';
import { subscriptionRequest, subscriptionUpdate } from './subscription.ts';

export type ObjectSchema = z.ZodMiniObject<
  Readonly<Record<string, z.core.$ZodType>>,
  z.core.$loose
>;

type WithBody = Extract<(typeof OPERATIONS)[number], { hasBody: true }>['name'];

const BODIES: Readonly<Record<WithBody, () => ObjectSchema>> = {
  tokenize: tokenizeRequest,
  'purchase create': purchaseRequest,
  'refund create': refundRequest,
  'plan create': planRequest,
  'plan update': planUpdate,
  'customer create': customerRequest,
  'customer update': customerUpdate,
  'subscription create': subscriptionRequest,
  'subscription update': subscriptionUpdate,
};

/** @returns the schema of a row's body, or undefined when it has none */
export function bodyOf({ name }: Pick<Operation, 'name'>): ObjectSchema | undefined {
  return Object.hasOwn(BODIES, name) ? BODIES[name as WithBody]() : undefined;
}

/** @returns the schema of a row's query, or undefined when it has none */
export function queryOf({ name }: Pick<Operation, 'name'>): z.ZodMiniObject | undefined {
  return name === 'plan list' ? planListQuery() : undefined;
}
