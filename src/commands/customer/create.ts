import { customerCreate } from '../../contract/operations.ts';
import { ProgramCommand } from '../../dispatch/operation-command.ts';
import { operationFlags } from '../../flags/operation-flags.ts';

export default class CustomerCreate extends ProgramCommand {
  static override summary = customerCreate.summary;
  static override description =
    'The gateway keeps the customer and their card, which subscriptions are charged to, and answers with ' +
    'the customer and the token of the card. The recurring area is deprecated in the gateway and works as documented.';
  static override examples = [
    '<%= config.bin %> customer create --profile local --first-name Ada --last-name Byron --reference CUST-2 --email ada@example.com --test-card approved',
    '<%= config.bin %> customer create --profile local --first-name Ada --last-name Byron --reference CUST-3 --email ada@example.com --card-file card.json --city Sydney --country AU',
  ];
  static override flags = operationFlags(customerCreate);
  readonly program = 'customer create';
}
