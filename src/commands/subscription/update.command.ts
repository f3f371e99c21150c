import { subscriptionUpdate } from '../../contract/resources/subscription.ts';
import { submitCommand } from '../../requests/operation-commands.ts';

export default submitCommand(subscriptionUpdate, {
  description: `Sends the request that \`gw subscription stop\` and \`gw subscription resume\` also
    send. The built-in test gateway does not resume a subscription whose card has expired.`,
  examples: [
    'gw subscription update 071-S-B4FVRK71 --profile local --no-is-active',
    'gw subscription update 071-S-B4FVRK71 --profile local --is-active',
  ],
});
