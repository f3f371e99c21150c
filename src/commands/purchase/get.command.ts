import { purchaseGet } from '../../contract/resources/purchase.ts';
import { lookUpCommand } from '../../requests/operation-commands.ts';

export default lookUpCommand(purchaseGet, {
  description: `The gateway returns the purchase with its card number masked. The exit code is 3 for a purchase
    of another account, and 4 for one that does not exist.`,
  examples: [
    'gw purchase get 071-P-IE49OSAF --profile local',
    'gw purchase get 071-P-IE49OSAF --profile local --jq .card_token',
    'gw purchase get - --profile local -o csv --fields id,amount,message < ids.txt',
  ],
});
