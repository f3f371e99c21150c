import { subscriptionGet } from '../../contract/operations.ts';
import { GetCommand } from '../../dispatch/operation-command.ts';
import { idsArg } from '../../flags/args.ts';
import { operationFlags } from '../../flags/operation-flags.ts';

export default class SubscriptionGet extends GetCommand {
  static override summary = subscriptionGet.summary;
  static override description =
    'The gateway looks a subscription up by your reference, not by its id, and answers with its state: ' +
    'last status, next billing date, active or not. The recurring area is deprecated in the gateway and ' +
    'works as documented.';
  static override examples = [
    '<%= config.bin %> subscription get SUB-1 --profile local',
    '<%= config.bin %> subscription get SUB-1 --profile local -o json --fields reference,next_billing_date,last_status',
  ];
  static override args = idsArg('Reference of a subscription.');
  static override flags = operationFlags(subscriptionGet);
  readonly program = 'subscription get';
}
