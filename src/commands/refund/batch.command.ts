import { refundCreate } from '../../contract/resources/refund.ts';
import { batchCommand } from '../../requests/batch/batch-command.ts';

export default batchCommand(refundCreate, {
  summary: 'Refund many purchases, from a file',
  description: `Each line is a refund: transaction_id, reference and amount or decimal_amount. A
    decimal_amount is in the currency of the purchase. gw asks the gateway for one that it
    has not seen. A column currency must agree, or names it if the gateway does not say. A column note says why, as
    --note does, and is kept here. A column customer is compared with who paid the purchase.

    transaction_id is the id of a purchase, because a line must ask for the same whenever the file is run. With
    --by-reference, it may be the reference of one, and --reference-prefix makes the references of the refunds. If a sheet
    has other columns, gw says the whole command that reads them. The last example makes lines of a list of ids or order
    references.

    gw checks the whole file before it sends a line. It prints one line of JSON for each
    line, in order.

    You can run the file again, even corrected: gw refunds nothing twice. Lines with an
    unknown outcome wait for \`gw journal resolve\`.

    gw does not send a reference again with another amount. It does not refund more than is
    left of a purchase that it has seen.`,
  examples: [
    'gw refund batch refunds.csv --profile local --dry-run',
    'gw refund batch april.csv --profile local --by-reference --map transaction_id=Invoice --map decimal_amount=Amount --reference-prefix APRIL',
    `$ gw purchase get - --profile local -o jsonl --jq '{transaction_id: .id, amount, reference: ("R-" + .reference)}' < ids.txt | gw refund batch - --profile local`,
  ],
});
