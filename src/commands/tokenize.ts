import { CARD_IN_BODY } from '../body/card-place.ts';
import { tokenize } from '../contract/operations.ts';
import { submit } from '../dispatch/operation-commands.ts';

export default submit(tokenize, {
  description: `The gateway keeps the card and answers with a token, which is worth nothing to another
    account. Use the token as --card-token in place of the card from then on. The CVV is not kept.`,
  body: { card: CARD_IN_BODY },
  examples: [
    'gw tokenize --profile local --test-card approved',
    'gw tokenize --profile local --card-file card.json -o id',
  ],
});
