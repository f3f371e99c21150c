import { purchaseGet } from '../../contract/purchase.ts';
import { lookUp } from '../../dispatch/operation-commands.ts';

export default lookUp(purchaseGet, {
  description: `The gateway answers with the purchase as it stands, its card number masked. A purchase of
    another account is not shown (exit code 3), one that does not exist is not found (4).`,
  examples: [
    'gw purchase get 071-P-IE49OSAF --profile local',
    'gw purchase get 071-P-IE49OSAF --profile local -o json | jq -r .card_token',
    'gw purchase get - --profile local -o csv --fields id,amount,message < ids.txt',
  ],
});
