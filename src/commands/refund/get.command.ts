import { refundGet } from '../../contract/resources/refund.ts';
import { lookUpCommand } from '../../requests/operation-commands.ts';

export default lookUpCommand(refundGet, {
  description: `The gateway returns the refund with a negative amount. For a refund that does not exist, it says
    that the purchase was not found.`,
  examples: [
    'gw refund get 071-R-D8ADU69P --profile local',
    'gw refund get 071-R-D8ADU69P --profile local -o json --fields id,amount,message',
  ],
});
