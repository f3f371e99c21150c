import { customerUpdate } from '../../contract/resources/customer.ts';
import { submitCommand } from '../../requests/operation-commands.ts';

export default submitCommand(customerUpdate, {
  description: `The gateway changes the fields you give and leaves the others as they are. A card
    expiry or name without a card number changes the stored card, which keeps its token. A card
    number replaces the stored card with a new one, which gets a new token; it requires the expiry
    and the CVV.`,
  examples: [
    'gw customer update 071-C-ESA9Y222 --profile local --email countess@example.com',
    'gw customer update 071-C-ESA9Y222 --profile local --expiry-date 09/2035',
    'gw customer update 071-C-ESA9Y222 --profile local --test-card declined',
  ],
});
