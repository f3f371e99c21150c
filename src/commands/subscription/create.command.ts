import { subscriptionCreate } from '../../contract/resources/subscription.ts';
import { submitCommand } from '../../requests/operation-commands.ts';

export default submitCommand(subscriptionCreate, {
  description: `From the start date on, the gateway charges the plan's amount to the customer's card at this
    frequency. It retries a failed charge three times.

    Nothing is charged before the start date: a later one makes a free trial, or the first month free.`,
  examples: [
    'gw subscription create --profile local --customer 071-C-ESA9Y222 --plan GOLD --frequency Weekly --start-date 2027-01-01 --reference SUB-2',
    'gw subscription create --profile local --customer 071-C-ESA9Y222 --plan GOLD --frequency Daily --reference SUB-3 --no-is-active',
  ],
});
