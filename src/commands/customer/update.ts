import { customerUpdate } from '../../contract/customer.ts';
import { submit } from '../../dispatch/operation-commands.ts';

export default submit(customerUpdate, {
  description: `The gateway changes the fields that are given and leaves the others. A new card takes the
    place of the old one.`,
  examples: [
    'gw customer update 071-C-S1G95LUU --profile local --email countess@example.com',
    'gw customer update 071-C-S1G95LUU --profile local --test-card declined',
  ],
});
