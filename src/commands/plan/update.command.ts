import { planUpdate } from '../../contract/resources/plan.ts';
import { submitCommand } from '../../requests/operation-commands.ts';

export default submitCommand(planUpdate, {
  description: `The gateway changes the fields you give and keeps the others. Name and description can always
    change. Reference and amount cannot change once a subscription uses the plan: create another
    plan, and \`gw subscription move\` each subscription to it.`,
  examples: [
    'gw plan update 071-PL-O4ACS24K --profile local --name "Gold 2027"',
    'gw plan update 071-PL-O4ACS24K --profile local --description "Every day" -o json',
    'gw plan update 071-PL-QP50G18W --profile local --decimal-amount 17.50 --currency AUD',
  ],
});
