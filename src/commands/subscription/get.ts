import { subscriptionGet } from '../../contract/resources/subscription.ts';
import { lookUpCommand } from '../../requests/operation-commands.ts';

export default lookUpCommand(subscriptionGet, {
  description: `The gateway looks up a subscription by your reference, not by its id, and returns
    its state: last status, next billing date, active or not.`,
  id: 'Reference of a subscription.',
  examples: [
    'gw subscription get SUB-1 --profile local',
    'gw subscription get SUB-1 --profile local -o json --fields reference,next_billing_date,last_status',
  ],
});
