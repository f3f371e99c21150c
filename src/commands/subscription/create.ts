import { subscriptionCreate } from '../../contract/operations.ts';
import { ProgramCommand } from '../../dispatch/operation-command.ts';
import { operationFlags } from '../../flags/operation-flags.ts';

export default class SubscriptionCreate extends ProgramCommand {
  static override summary = subscriptionCreate.summary;
  static override description =
    "The gateway charges the amount of the plan to the customer's card at the frequency, from the start " +
    'date on. A failed charge is tried three times more. The recurring area is deprecated in the gateway ' +
    'and works as documented.';
  static override examples = [
    '<%= config.bin %> subscription create --profile local --customer 071-C-S1G95LUU --plan GOLD --frequency Weekly --start-date 2027-01-01 --reference SUB-2',
    '<%= config.bin %> subscription create --profile local --customer 071-C-S1G95LUU --plan GOLD --frequency Daily --reference SUB-3 --no-is-active',
  ];
  static override flags = operationFlags(subscriptionCreate);
  readonly program = 'subscription create';
}
