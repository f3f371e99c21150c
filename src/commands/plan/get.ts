import { planGet } from '../../contract/operations.ts';
import { GetCommand } from '../../dispatch/operation-command.ts';
import { idsArg } from '../../flags/args.ts';
import { operationFlags } from '../../flags/operation-flags.ts';

export default class PlanGet extends GetCommand {
  static override summary = planGet.summary;
  static override description =
    'The gateway answers with the plan and the number of subscriptions that use it. ' +
    'The recurring area is deprecated in the gateway and works as documented.';
  static override examples = [
    '<%= config.bin %> plan get 071-PL-VOD0FSL7 --profile local',
    '<%= config.bin %> plan list --profile local -o id | xargs <%= config.bin %> plan get --profile local',
  ];
  static override args = idsArg('Id of a plan.');
  static override flags = operationFlags(planGet);
  readonly program = 'plan get';
}
