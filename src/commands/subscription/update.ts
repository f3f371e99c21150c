import { subscriptionUpdateOperation } from '../../contract/operations.ts';
import { ProgramCommand } from '../../dispatch/operation-command.ts';
import { idArg } from '../../flags/args.ts';
import { operationFlags } from '../../flags/operation-flags.ts';

export default class SubscriptionUpdate extends ProgramCommand {
  static override summary = subscriptionUpdateOperation.summary;
  static override description =
    'With --no-is-active the gateway bills no more; with --is-active it bills again from the next due ' +
    'date. The recurring area is deprecated in the gateway and works as documented.';
  static override examples = [
    '<%= config.bin %> subscription update 071-S-JZNVZEMJ --profile local --no-is-active',
    '<%= config.bin %> subscription update 071-S-JZNVZEMJ --profile local --is-active',
  ];
  static override args = idArg('Id of the subscription.');
  static override flags = operationFlags(subscriptionUpdateOperation);
  readonly program = 'subscription update';
}
