import { subscriptionUpdate } from '../../contract/subscription.ts';
import { submit } from '../../dispatch/operation-commands.ts';

export default submit(subscriptionUpdate, {
  description: `With --no-is-active the gateway bills no more; with --is-active it bills again from the next
    due date.`,
  examples: [
    'gw subscription update 071-S-JZNVZEMJ --profile local --no-is-active',
    'gw subscription update 071-S-JZNVZEMJ --profile local --is-active',
  ],
});
