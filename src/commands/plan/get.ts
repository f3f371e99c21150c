import { planGet } from '../../contract/plan.ts';
import { lookUp } from '../../dispatch/operation-commands.ts';

export default lookUp(planGet, {
  description: 'The gateway answers with the plan and the number of subscriptions that use it.',
  examples: [
    'gw plan get 071-PL-VOD0FSL7 --profile local',
    'gw plan list --profile local -o id | xargs gw plan get --profile local',
  ],
});
