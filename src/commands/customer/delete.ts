import { customerDelete } from '../../contract/operations.ts';
import { ProgramCommand } from '../../dispatch/operation-command.ts';
import { idArg } from '../../flags/args.ts';
import { operationFlags } from '../../flags/operation-flags.ts';

export default class CustomerDelete extends ProgramCommand {
  static override summary = customerDelete.summary;
  static override description =
    'The gateway removes the customer and answers with the record as it was. There is no way back. ' +
    'The recurring area is deprecated in the gateway and works as documented.';
  static override examples = [
    '<%= config.bin %> customer delete 071-C-S1G95LUU --profile local --dry-run',
    '<%= config.bin %> customer delete 071-C-S1G95LUU --profile local',
  ];
  static override args = idArg('Id of the customer.');
  static override flags = operationFlags(customerDelete);
  readonly program = 'customer delete';
}
