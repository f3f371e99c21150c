import { subscriptionUpdate } from '../../contract/resources/subscription.ts';
import { submitCommand } from '../../requests/operation-commands.ts';

export default submitCommand(subscriptionUpdate, {
  description: `With --no-is-active the gateway stops billing and gives up any pending retry; with
    --is-active it bills again from the next due date. The embedded gateway does not resume a
    subscription whose card has expired: update the customer's card first.`,
  examples: [
    'gw subscription update 071-S-B4FVRK71 --profile local --no-is-active',
    'gw subscription update 071-S-B4FVRK71 --profile local --is-active',
  ],
});
