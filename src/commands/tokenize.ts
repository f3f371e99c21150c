import { tokenize } from '../contract/card.ts';
import { submit } from '../dispatch/operation-commands.ts';

export default submit(tokenize, {
  description: `The gateway keeps the card and answers with a token, which is worth nothing to another
    account. Use the token as --card-token in place of the card from then on. The CVV is not kept.

    With --alias the card gets a name of your own, which works as --card-token too; one that a card has
    is refused. The interface has aliases and does not show how one is assigned, so a gateway may pass
    the name over: the alias of the card that is printed says whether it has it.`,
  examples: [
    'gw tokenize --profile local --test-card approved',
    'gw tokenize --profile local --card-file card.json -o id',
    'gw tokenize --profile local --card-file card.json --alias cust-1001 && gw purchase create --profile local --card-token cust-1001 --amount 2500',
  ],
});
