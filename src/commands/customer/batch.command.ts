import { customerCreate } from '../../contract/resources/customer.ts';
import { batchCommand } from '../../requests/batch/batch-command.ts';

export default batchCommand(customerCreate, {
  summary: 'Create many customers with their cards, from a file',
  description: `Each line is a customer: first_name, last_name, reference, email and the card
    (card_number, expiry_date, cvv, card_holder). The address is optional (address, city,
    state, postcode, country). In JSON, card and address are nested as in the interface.

    You can run the file again, even corrected: gw creates no customer twice, because
    references are unique.`,
  examples: [
    'gw customer batch customers.csv --profile local --dry-run',
    `$ gw customer batch customers.csv --profile local --jq 'select(.outcome == "done") | {customer: .record.id, plan: "GOLD", frequency: "Monthly", reference: ("SUB-" + .record.reference)}' | gw subscription batch - --profile local`,
  ],
});
