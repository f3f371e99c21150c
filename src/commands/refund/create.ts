import { refundCreate } from '../../contract/refund.ts';
import { submit } from '../../dispatch/operation-commands.ts';

export default submit(refundCreate, {
  description: `The gateway gives the amount back to the card of the purchase. A purchase may be refunded
    several times, up to what was paid. The amount is always given: leaving it out never means all
    of it.`,
  examples: [
    'gw refund create --profile local --transaction-id 071-P-IE49OSAF --amount 1000 --reference RET-1001',
    'gw refund create --profile local --transaction-id 071-P-IE49OSAF --decimal-amount 5.00 --reference RET-1002 --dry-run',
  ],
});
