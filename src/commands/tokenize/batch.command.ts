import { tokenize } from '../../contract/resources/card.ts';
import { batchCommand } from '../../requests/batch/batch-command.ts';

export default batchCommand(tokenize, {
  summary: 'Store many cards and get a token for each, from a file',
  description: `Each line is a card: card_number, card_holder and card_expiry. The fields cvv and
    alias are optional.

    gw checks the whole file before it sends a line, and keeps none of it. The journal masks
    card numbers and has no CVV.

    You can run the same file again: gw sends no card twice. Another file is another batch,
    because gw keeps too little of a card to recognise it.`,
  examples: [
    'gw tokenize batch cards.csv --profile local --dry-run',
    'gw tokenize batch cards.csv --profile local -o csv --fields line,outcome,id',
  ],
});
