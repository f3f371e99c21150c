import { customerGet } from '../../contract/resources/customer.ts';
import { lookUpCommand } from '../../requests/operation-commands.ts';

export default lookUpCommand(customerGet, {
  description: `The gateway returns the customer without the address.`,
  examples: [
    'gw customer get 071-C-ESA9Y222 --profile local',
    'gw customer get 071-C-ESA9Y222 --profile local --jq .email',
  ],
});
