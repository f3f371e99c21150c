import { purchaseCreate } from '../../contract/purchase.ts';
import { batch } from '../../dispatch/operation-commands.ts';

export default batch(purchaseCreate, {
  summary: 'Charge many stored cards, from a file',
  description: `Each line is a purchase: card_token, amount (or decimal_amount), and reference, currency and
    customer_ip where there are any. The whole file is checked before anything is sent. One line
    of JSON is printed for each line, in their order. Run again, also with a corrected file, it
    sends what certainly did not happen and nothing twice; a declined card is asked again. Lines
    that ask for the same and have no reference are taken for the same, unless the batch has
    another name (--batch). Card details are not taken on a live
    profile: tokenize the cards first.`,
  examples: [
    'gw purchase batch charges.csv --profile local --dry-run',
    'gw purchase batch charges.jsonl --profile local --rate 5 --stop-after-failures 10',
  ],
});
