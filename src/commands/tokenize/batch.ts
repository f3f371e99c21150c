import { tokenize } from '../../contract/card.ts';
import { batch } from '../../dispatch/operation-commands.ts';

export default batch(tokenize, {
  summary: 'Store many cards and get a token for each, from a file',
  description: `Each line is a card: card_number, card_holder, card_expiry, and cvv and alias where there are any.
    The whole file is checked before anything is sent, and nothing of it is kept: the journal has card
    numbers masked and no CVV. Run again, the same file sends no card twice. Another file is another
    batch, since all that gw may keep of a card is its holder, its expiry and ten of its digits.`,
  examples: [
    'gw tokenize batch cards.csv --profile local --dry-run',
    'gw tokenize batch cards.csv --profile local -o csv --fields line,outcome,id',
  ],
});
