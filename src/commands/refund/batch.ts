import { refundCreate } from '../../contract/resources/refund.ts';
import { batchCommand } from '../../requests/operation-commands.ts';

export default batchCommand(refundCreate, {
  summary: 'Refund many purchases, from a file',
  description: `Each line is a refund: transaction_id, amount (or decimal_amount) and reference. A
    decimal_amount is in the currency of the purchase where gw has seen it, else in that of a column currency, else
    in that of the profile. The whole file is checked before anything is sent. Prints one line of JSON for each line, in order.
    When you run it again, even with a corrected file, it sends what certainly did not happen and
    nothing twice; lines whose outcome is unknown wait for \`gw journal resolve\`. A line whose reference was sent before with another amount is a conflict and is not sent. gw refuses refunds of more
    than is left of a purchase, as far as it has seen the purchase.`,
  examples: [
    'gw refund batch refunds.csv --profile local --dry-run',
    'gw refund batch refunds.csv --profile local --batch returns-march --max-total 500000',
    `$ gw purchase get - --profile local -o jsonl --jq '{transaction_id: .id, amount, reference: ("R-" + .reference)}' < ids.txt | gw refund batch - --profile local`,
  ],
});
