import { customerUpdate } from '../../contract/resources/customer.ts';
import { submitCommand } from '../../requests/operation-commands.ts';

export default submitCommand(customerUpdate, {
  description: `The gateway changes the fields you give and keeps the others.

    An expiry or a name alone changes the stored card, which keeps its token. A card number
    replaces the card, for example one that was lost, and needs the expiry and the CVV. The new card gets a new token.`,
  examples: [
    'gw customer update 071-C-ESA9Y222 --profile local --email countess@example.com',
    'gw customer update 071-C-ESA9Y222 --profile local --expiry-date 09/2035',
    'gw customer update 071-C-ESA9Y222 --profile local --test-card declined',
  ],
});
