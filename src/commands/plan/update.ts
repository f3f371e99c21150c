import { planUpdateOperation } from '../../contract/operations.ts';
import { ProgramCommand } from '../../dispatch/operation-command.ts';
import { idArg } from '../../flags/args.ts';
import { operationFlags } from '../../flags/operation-flags.ts';

export default class PlanUpdate extends ProgramCommand {
  static override summary = planUpdateOperation.summary;
  static override description =
    'Only the name and the description of a plan can be changed; its reference and amount are fixed once ' +
    'it is in use. The recurring area is deprecated in the gateway and works as documented.';
  static override examples = [
    '<%= config.bin %> plan update 071-PL-VOD0FSL7 --profile local --name "Gold 2027"',
    '<%= config.bin %> plan update 071-PL-VOD0FSL7 --profile local --description "Every day" -o json',
  ];
  static override args = idArg('Id of the plan.');
  static override flags = operationFlags(planUpdateOperation);
  readonly program = 'plan update';
}
