import { idArg } from '../../cli/args.ts';
import { ProgramCommand } from '../../cli/operation-command.ts';
import { operationFlags } from '../../cli/operation-flags.ts';
import { customerUpdateOperation } from '../../contract/operations.ts';

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
