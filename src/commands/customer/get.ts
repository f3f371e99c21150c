import { customerGet } from '../../contract/operations.ts';
import { GetCommand } from '../../dispatch/operation-command.ts';
import { idsArg } from '../../flags/args.ts';
import { operationFlags } from '../../flags/operation-flags.ts';

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
