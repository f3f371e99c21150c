/**
 * What each of the ordinary commands does: look records up, or send a body. One table for both ways
 * into gw, oclif's command classes and the fast path; it loads nothing of oclif.
 */

import type { BodyOptions } from '../body/build-body.ts';
import { CARD_IN_BODY, CARD_IN_CUSTOMER } from '../body/card-place.ts';
import {
  customerCreate,
  customerDelete,
  customerGet,
  customerUpdateOperation,
  type Operation,
  planCreate,
  planGet,
  planUpdateOperation,
  purchaseCreate,
  purchaseGet,
  refundCreate,
  refundGet,
  subscriptionCreate,
  subscriptionGet,
  subscriptionUpdateOperation,
  tokenize,
} from '../contract/operations.ts';
import { kindOfId, type RecordKind } from '../contract/record-id.ts';
import { usage } from '../failure.ts';
import { type OperationFlags, runGet } from '../operations/run-operation.ts';
import { runPlanList } from '../operations/run-plan-list.ts';
import type { Context } from '../session/context.ts';
import type { ProgramName } from './program-names.ts';

/** @param args what was given besides flags */
export type Program = (
  context: Context,
  args: readonly string[],
  flags: OperationFlags,
) => Promise<void>;

function submit(operation: Operation, bodyOptions: BodyOptions = {}): Program {
  return async (context, [id], flags) => {
    // With all that makes a body, which a look-up has no use for.
    const { runSubmit } = await import('../operations/run-submit.ts');
    await runSubmit(context, operation, bodyOptions, id, flags);
  };
}

function get(operation: Operation, operationOf = (_id: string): Operation => operation): Program {
  return (context, ids, flags) => runGet(context, operation, operationOf, ids, flags);
}

/** By what a user types after `gw`. */
export const PROGRAMS: Readonly<Record<ProgramName, Program>> = {
  tokenize: submit(tokenize, { card: CARD_IN_BODY }),
  'purchase create': submit(purchaseCreate, { card: CARD_IN_BODY }),
  'purchase get': get(purchaseGet),
  'refund create': submit(refundCreate),
  'refund get': get(refundGet),
  'plan create': submit(planCreate),
  'plan list': (context, _ids, flags) => runPlanList(context, flags),
  'plan get': get(planGet),
  'plan update': submit(planUpdateOperation),
  'customer create': submit(customerCreate, { card: CARD_IN_CUSTOMER }),
  'customer get': get(customerGet),
  'customer update': submit(customerUpdateOperation, {
    card: CARD_IN_CUSTOMER,
    cardIsExpected: false,
  }),
  'customer delete': submit(customerDelete),
  'subscription create': submit(subscriptionCreate),
  'subscription get': get(subscriptionGet),
  'subscription update': submit(subscriptionUpdateOperation),
  get: get(purchaseGet, lookUpOf),
};

const LOOK_UPS: Partial<Record<RecordKind, Operation>> = {
  purchase: purchaseGet,
  refund: refundGet,
  plan: planGet,
  customer: customerGet,
  // The interface looks subscriptions up by reference; deployments take the id as well.
  subscription: subscriptionGet,
};

/** @throws Failure usage when the id's shape does not tell its kind */
function lookUpOf(id: string): Operation {
  const kind = kindOfId(id);
  const operation = kind && LOOK_UPS[kind];
  if (operation) return operation;
  throw usage(
    `The id ${JSON.stringify(id)} does not tell what kind of record it is of.`,
    'Use the command of its kind, such as `gw purchase get`, or `gw subscription get` with a reference.',
  );
}
