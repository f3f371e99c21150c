import { planGet } from '../../contract/resources/plan.ts';
import { lookUpCommand } from '../../requests/operation-commands.ts';

export default lookUpCommand(planGet, {
  description: `The gateway returns the plan. \`gw plan list\` and \`gw plan update\` also show its currency and
    its number of subscriptions.`,
  examples: [
    'gw plan get 071-PL-O4ACS24K --profile local',
    'gw plan list --profile local -o id | gw plan get - --profile local',
  ],
});
