import { idsArg } from '../cli/args.ts';
import { GetCommand } from '../cli/operation-command.ts';
import { operationFlags } from '../cli/operation-flags.ts';
import { kindOfId, type RecordKind } from '../contract/ids.ts';
import {
  customerGet,
  type Operation,
  planGet,
  purchaseGet,
  refundGet,
  subscriptionGet,
} from '../contract/operations.ts';
import { usage } from '../failure.ts';

const LOOK_UPS: Partial<Record<RecordKind, Operation>> = {
  purchase: purchaseGet,
  refund: refundGet,
  plan: planGet,
  customer: customerGet,
  // The interface looks subscriptions up by reference; deployments take the id as well.
  subscription: subscriptionGet,
};

export default class Get extends GetCommand {
  static override summary = 'Look up any records by id';
  static override description =
    'The kind of a record is read from its id: P for a purchase, R a refund, PL a plan, C a customer, S a ' +
    'subscription. Ids of different kinds may be mixed.';
  static override examples = [
    '<%= config.bin %> get PURCHASE --profile local',
    '<%= config.bin %> get PURCHASE REFUND PLAN --profile local -o jsonl',
  ];
  static override args = idsArg('Id of a record.');
  static override flags = operationFlags(purchaseGet);
  readonly operation = purchaseGet;

  protected override operationOf(id: string): Operation {
    const kind = kindOfId(id);
    const operation = kind && LOOK_UPS[kind];
    if (operation) return operation;
    throw usage(
      `The id ${JSON.stringify(id)} does not tell what kind of record it is of.`,
      'Use the command of its kind, such as `gw purchase get`, or `gw subscription get` with a reference.',
    );
  }
}
