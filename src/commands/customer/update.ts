import { CARD_IN_CUSTOMER } from '../../body/card-place.ts';
import { customerUpdateOperation } from '../../contract/operations.ts';
import { submit } from '../../dispatch/operation-commands.ts';

export default submit(customerUpdateOperation, {
  description: `The gateway changes the fields that are given and leaves the others. A new card takes the
    place of the old one.`,
  body: { card: CARD_IN_CUSTOMER, cardIsExpected: false },
  examples: [
    'gw customer update 071-C-S1G95LUU --profile local --email countess@example.com',
    'gw customer update 071-C-S1G95LUU --profile local --test-card declined',
  ],
});
