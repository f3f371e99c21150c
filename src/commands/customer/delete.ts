import { customerDelete } from '../../contract/customer.ts';
import { submit } from '../../dispatch/operation-commands.ts';

export default submit(customerDelete, {
  description: `The gateway removes the customer and answers with the record as it was. There is no way back.
    The embedded gateway stops the customer's subscriptions, and keeps the card: its token can be
    charged, and its purchases refunded, as before.`,
  examples: [
    'gw customer delete 071-C-S1G95LUU --profile local --dry-run',
    'gw customer delete 071-C-S1G95LUU --profile local',
  ],
});
