import { customerCreate } from '../../contract/resources/customer.ts';
import { submitCommand } from '../../requests/operation-commands.ts';

export default submitCommand(customerCreate, {
  description: `The gateway stores the customer and the card that subscriptions charge. It returns the customer
    with a token for the card.`,
  examples: [
    'gw customer create --profile local --first-name Ada --last-name Byron --reference CUST-2 --email ada@example.com --test-card approved',
    'gw customer create --profile local --first-name Ada --last-name Byron --reference CUST-3 --email ada@example.com --card-file card.json --city Sydney --country AU',
  ],
});
