import { tokenize } from '../../contract/resources/card.ts';
import { batchCommand } from '../../requests/operation-commands.ts';

export default batchCommand(tokenize, {
  summary: 'Store many cards and get a token for each, from a file',
  description: `Each line is a card: card_number, card_holder, card_expiry and, optionally, cvv and alias. The
    whole file is checked before anything is sent, and gw keeps none of it: the journal masks card
    numbers and has no CVV. When you run the same file again, no card is sent twice. Another file is
    another batch, because all that gw may keep of a card is its holder, its expiry and ten of its
    digits.`,
  examples: [
    'gw tokenize batch cards.csv --profile local --dry-run',
    'gw tokenize batch cards.csv --profile local -o csv --fields line,outcome,id',
  ],
});
