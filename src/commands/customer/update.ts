import { customerUpdate } from '../../contract/customer.ts';
import { submit } from '../../dispatch/operation-commands.ts';

export default submit(customerUpdate, {
  description: `The gateway changes the fields that are given and leaves the others. An expiry or a name on the
    card alone changes the stored card, which keeps its token: later purchases by that token see the change. A
    card number is that of a new card, with a new token, in place of the stored one; it needs the expiry
    and the CVV beside it.`,
  examples: [
    'gw customer update 071-C-S1G95LUU --profile local --email countess@example.com',
    'gw customer update 071-C-S1G95LUU --profile local --expiry-date 09/2035',
    'gw customer update 071-C-S1G95LUU --profile local --test-card declined',
  ],
});
