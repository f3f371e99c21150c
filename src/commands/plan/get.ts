import { planGet } from '../../contract/resources/plan.ts';
import { lookUpCommand } from '../../requests/operation-commands.ts';

export default lookUpCommand(planGet, {
  description: `The gateway returns the plan. Its currency and the number of its subscriptions are
    in \`gw plan list\` and in the answer to \`gw plan update\`.`,
  examples: [
    'gw plan get 071-PL-O4ACS24K --profile local',
    'gw plan list --profile local -o id | gw plan get - --profile local',
  ],
});
