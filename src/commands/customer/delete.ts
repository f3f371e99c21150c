import { customerDelete } from '../../contract/resources/customer.ts';
import { submitCommand } from '../../requests/operation-commands.ts';

export default submitCommand(customerDelete, {
  description: `The gateway removes the customer and returns the record as it was. This cannot be
    undone. The embedded gateway stops the customer's subscriptions but keeps the card: you can
    still charge its token and refund its purchases.`,
  examples: [
    'gw customer delete 071-C-ESA9Y222 --profile local --dry-run',
    'gw customer delete 071-C-ESA9Y222 --profile local',
  ],
});
