import { tokenize } from '../contract/resources/card.ts';
import { submitCommand } from '../requests/operation-commands.ts';

export default submitCommand(tokenize, {
  description: `The gateway stores the card and returns a token, which is useless to other accounts.
    From then on, use the token as --card-token instead of the card. The CVV is not kept. With --alias the card gets a name of your own, which also works as --card-token; a name that another card already has is refused. The interface has aliases but does not show how to assign one, so a gateway may
    ignore the name: the printed card shows whether it has it.`,
  examples: [
    'gw tokenize --profile local --test-card approved',
    'gw tokenize --profile local --card-file card.json -o id',
    'gw tokenize --profile local --card-file card.json --alias cust-1001 && gw purchase create --profile local --card-token cust-1001 --amount 2500',
  ],
});
