import { planCreate } from '../../contract/operations.ts';
import { ProgramCommand } from '../../dispatch/operation-command.ts';
import { operationFlags } from '../../flags/operation-flags.ts';

export default class PlanCreate extends ProgramCommand {
  static override summary = planCreate.summary;
  static override description =
    'A plan is an amount that subscriptions are billed. Its reference and amount are fixed once a ' +
    'subscription uses it. The recurring area is deprecated in the gateway and works as documented.';
  static override examples = [
    '<%= config.bin %> plan create --profile local --name Silver --reference SILVER --description "Twice a week" --amount 1500',
    '<%= config.bin %> plan create --skeleton',
  ];
  static override flags = operationFlags(planCreate);
  readonly program = 'plan create';
}
