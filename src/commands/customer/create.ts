import { customerCreate } from '../../contract/resources/customer.ts';
import { submitCommand } from '../../requests/operation-commands.ts';

export default submitCommand(customerCreate, {
  description: `The gateway stores the customer and their card, which subscriptions are charged to,
    and returns the customer with the card's token.`,
  examples: [
    'gw customer create --profile local --first-name Ada --last-name Byron --reference CUST-2 --email ada@example.com --test-card approved',
    'gw customer create --profile local --first-name Ada --last-name Byron --reference CUST-3 --email ada@example.com --card-file card.json --city Sydney --country AU',
  ],
});
