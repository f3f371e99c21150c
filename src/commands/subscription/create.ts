import { subscriptionCreate } from '../../contract/subscription.ts';
import { submit } from '../../dispatch/operation-commands.ts';

export default submit(subscriptionCreate, {
  description: `The gateway charges the amount of the plan to the customer's card at the frequency, from the
    start date on. A failed charge is tried three times more.`,
  examples: [
    'gw subscription create --profile local --customer 071-C-S1G95LUU --plan GOLD --frequency Weekly --start-date 2027-01-01 --reference SUB-2',
    'gw subscription create --profile local --customer 071-C-S1G95LUU --plan GOLD --frequency Daily --reference SUB-3 --no-is-active',
  ],
});
