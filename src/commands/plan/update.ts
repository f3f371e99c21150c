import { planUpdate } from '../../contract/plan.ts';
import { submit } from '../../dispatch/operation-commands.ts';

export default submit(planUpdate, {
  description: `Only the name and the description of a plan can be changed; its reference and amount are fixed
    once it is in use.`,
  examples: [
    'gw plan update 071-PL-VOD0FSL7 --profile local --name "Gold 2027"',
    'gw plan update 071-PL-VOD0FSL7 --profile local --description "Every day" -o json',
  ],
});
