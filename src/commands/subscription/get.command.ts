import { subscriptionGet } from '../../contract/resources/subscription.ts';
import { lookUpCommand } from '../../requests/operation-commands.ts';

export default lookUpCommand(subscriptionGet, {
  description: `Returns the last status, the next billing date, and whether the subscription is active.`,
  id: 'Reference or id of a subscription.',
  examples: [
    'gw subscription get SUB-1 --profile local',
    'gw subscription get SUB-1 --profile local -o json --fields reference,next_billing_date,last_status',
  ],
});
