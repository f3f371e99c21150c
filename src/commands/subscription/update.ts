import { subscriptionUpdate } from '../../contract/subscription.ts';
import { submit } from '../../dispatch/operation-commands.ts';

export default submit(subscriptionUpdate, {
  description: `With --no-is-active the gateway bills no more, and gives up a retry that waits; with --is-active
    it bills again from the next due date. The embedded gateway resumes none whose card has expired:
    the customer's card comes first.`,
  examples: [
    'gw subscription update 071-S-JZNVZEMJ --profile local --no-is-active',
    'gw subscription update 071-S-JZNVZEMJ --profile local --is-active',
  ],
});
