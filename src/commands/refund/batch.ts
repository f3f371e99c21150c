import { refundCreate } from '../../contract/operations.ts';
import { BatchCommand, batchFlags } from '../../dispatch/batch-command.ts';
import { overRefundFlag } from '../../flags/global-flags.ts';

export default class RefundBatch extends BatchCommand {
  static override summary = 'Refund many purchases, from a file';
  static override description =
    'Each line is a refund: transaction_id, amount (or decimal_amount) and reference. The whole file is ' +
    'checked before anything is sent. One line of JSON is printed for each line, in their order. Run ' +
    'again, it sends what certainly did not happen and nothing twice; lines whose outcome is unknown wait ' +
    'for `gw journal resolve`. Refunds of more than is left of a purchase are refused as far as this machine ' +
    'has seen the purchase.';
  static override examples = [
    '<%= config.bin %> refund batch refunds.csv --profile local --dry-run',
    '<%= config.bin %> refund batch refunds.csv --profile local --batch returns-march --max-total 500000',
    '$ <%= config.bin %> purchase get -o jsonl - --profile local < ids.txt | jq -c \'{transaction_id: .id, amount, reference: ("R-" + .reference)}\' | <%= config.bin %> refund batch - --profile local',
  ];
  static override flags = { ...batchFlags, ...overRefundFlag };
  readonly operation = refundCreate;
}
