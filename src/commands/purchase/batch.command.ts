import { purchaseCreate } from '../../contract/resources/purchase.ts';
import { batchCommand } from '../../requests/batch/batch-command.ts';

export default batchCommand(purchaseCreate, {
  summary: 'Charge many stored cards, from a file',
  description: `Each line is a purchase: card_token and amount or decimal_amount. The fields
    reference, currency and customer_ip are optional. A live profile takes no card details: tokenize
    the cards first.

    In the place of card_token, a line may have a customer: an id, a reference or an email. gw asks
    the gateway for the card of each, in every run, so the line needs a reference.

    gw checks the whole file before it sends a line. It prints one line of JSON for each
    line, in order.

    You can run the file again, even corrected: gw tries declined cards again, and charges
    nothing twice.

    Without a reference, gw cannot tell two equal lines apart and sends one. Another name
    (--batch) makes it another batch.`,
  examples: [
    'gw purchase batch charges.csv --profile local --dry-run',
    'gw purchase batch charges.jsonl --profile local --rate 5 --stop-after-failures 10',
  ],
});
