import { customerDelete } from '../../contract/resources/customer.ts';
import { submitCommand } from '../../requests/operation-commands.ts';

export default submitCommand(customerDelete, {
  description: `The gateway deletes the customer and returns the record as it was. You cannot undo this.

    The built-in test gateway stops the customer's subscriptions and keeps the card. You can
    still charge its token and refund its purchases.

    gw keeps what it saw of the customer in its ledger. If a person asks you to erase their data (GDPR),
    \`gw forget ID\` then erases that, too.`,
  examples: [
    'gw customer delete 071-C-ESA9Y222 --profile local --dry-run',
    'gw customer delete 071-C-ESA9Y222 --profile local',
  ],
});
