import { planCreate } from '../../contract/resources/plan.ts';
import { submitCommand } from '../../requests/operation-commands.ts';

export default submitCommand(planCreate, {
  description: `A plan has the amount that its subscriptions are billed. Its reference and amount
    cannot change once a subscription uses it.`,
  examples: [
    'gw plan create --profile local --name Silver --reference SILVER --description "Twice a week" --amount 1500',
    'gw plan create --skeleton',
  ],
});
