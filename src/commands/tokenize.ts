import { tokenize } from '../contract/card.ts';
import { submit } from '../dispatch/operation-commands.ts';

export default submit(tokenize, {
  description: `The gateway keeps the card and answers with a token, which is worth nothing to another
    account. Use the token as --card-token in place of the card from then on. The CVV is not kept.`,
  examples: [
    'gw tokenize --profile local --test-card approved',
    'gw tokenize --profile local --card-file card.json -o id',
  ],
});
