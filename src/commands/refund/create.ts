import { refundCreate } from '../../contract/operations.ts';
import { ProgramCommand } from '../../dispatch/operation-command.ts';
import { operationFlags } from '../../flags/operation-flags.ts';

export default class RefundCreate extends ProgramCommand {
  static override summary = refundCreate.summary;
  static override description =
    'The gateway gives the amount back to the card of the purchase. A purchase may be refunded several ' +
    'times, up to what was paid. The amount is always given: leaving it out never means all of it.';
  static override examples = [
    '<%= config.bin %> refund create --profile local --transaction-id 071-P-IE49OSAF --amount 1000 --reference RET-1001',
    '<%= config.bin %> refund create --profile local --transaction-id 071-P-IE49OSAF --decimal-amount 5.00 --reference RET-1002 --dry-run',
  ];
  static override flags = operationFlags(refundCreate);
  readonly program = 'refund create';
}
