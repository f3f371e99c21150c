import { customerUpdateOperation } from '../../contract/operations.ts';
import { ProgramCommand } from '../../dispatch/operation-command.ts';
import { idArg } from '../../flags/args.ts';
import { operationFlags } from '../../flags/operation-flags.ts';

export default class CustomerUpdate extends ProgramCommand {
  static override summary = customerUpdateOperation.summary;
  static override description =
    'The gateway changes the fields that are given and leaves the others. A new card takes the place of ' +
    'the old one. The recurring area is deprecated in the gateway and works as documented.';
  static override examples = [
    '<%= config.bin %> customer update 071-C-S1G95LUU --profile local --email countess@example.com',
    '<%= config.bin %> customer update 071-C-S1G95LUU --profile local --test-card declined',
  ];
  static override args = idArg('Id of the customer.');
  static override flags = operationFlags(customerUpdateOperation);
  readonly program = 'customer update';
}
