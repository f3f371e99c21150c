import { purchaseCreate } from '../../contract/resources/purchase.ts';
import { batchCommand } from '../../requests/operation-commands.ts';

export default batchCommand(purchaseCreate, {
  summary: 'Charge many stored cards, from a file',
  description: `Each line is a purchase: card_token, amount (or decimal_amount) and, optionally,
    reference, currency and customer_ip. The whole file is checked before anything is sent. Prints
    one line of JSON for each line, in order. When you run it again, even with a corrected file, it
    sends what certainly did not happen and nothing twice; a declined card is tried again. Lines without a reference that ask for the same thing count as one line, unless the batch has another
    name (--batch). A live profile does not accept card details: tokenize the cards first.`,
  examples: [
    'gw purchase batch charges.csv --profile local --dry-run',
    'gw purchase batch charges.jsonl --profile local --rate 5 --stop-after-failures 10',
  ],
});
