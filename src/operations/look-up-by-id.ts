/** Which look-up an id asks for, by its shape alone. */
import {
  customerGet,
  type Operation,
  planGet,
  purchaseGet,
  refundGet,
  subscriptionGet,
} from '../contract/operations.ts';
import { kindOfId, type RecordKind } from '../contract/record-id.ts';
import { usage } from '../failure.ts';

const LOOK_UPS: Partial<Record<RecordKind, Operation>> = {
  purchase: purchaseGet,
  refund: refundGet,
  plan: planGet,
  customer: customerGet,
  // The interface looks subscriptions up by reference; deployments take the id as well.
  subscription: subscriptionGet,
};

/** @throws Failure usage when the id's shape does not tell its kind */
export function lookUpById(id: string): Operation {
  const kind = kindOfId(id);
  const operation = kind && LOOK_UPS[kind];
  if (operation) return operation;
  throw usage(
    'id-kind-unknown',
    `The id ${JSON.stringify(id)} does not tell what kind of record it is of.`,
    'Use the command of its kind, such as `gw purchase get`, or `gw subscription get` with a reference.',
  );
}
