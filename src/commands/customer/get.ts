import { idsArg } from '../../cli/args.ts';
import { GetCommand } from '../../cli/operation-command.ts';
import { operationFlags } from '../../cli/operation-flags.ts';
import { customerGet } from '../../contract/operations.ts';

export default class CustomerGet extends GetCommand {
  static override summary = customerGet.summary;
  static override description =
    'The gateway answers with the customer, without the address. ' +
    'The recurring area is deprecated in the gateway and works as documented.';
  static override examples = [
    '<%= config.bin %> customer get 071-C-S1G95LUU --profile local',
    '<%= config.bin %> customer get 071-C-S1G95LUU --profile local -o json | jq -r .email',
  ];
  static override args = idsArg('Id of a customer.');
  static override flags = operationFlags(customerGet);
  readonly program = 'customer get';
}
