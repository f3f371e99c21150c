import { tokenize } from '../../contract/resources/card.ts';
import { submitCommand } from '../../requests/operation-commands.ts';

export default submitCommand(tokenize, {
  description: `The gateway stores the card and returns a token, which you use as --card-token. Other
    accounts cannot use it. gw never keeps the CVV.

    --alias gives the card a new name of your own, which also works as --card-token. The
    interface does not show how to assign one, so a gateway may ignore it. The printed card
    shows whether it has one.`,
  examples: [
    'gw tokenize --profile local --test-card approved',
    'gw tokenize --profile local --card-file card.json -o id',
    'gw tokenize --profile local --card-file card.json --alias cust-1001 && gw purchase create --profile local --card-token cust-1001 --amount 2500',
  ],
});
