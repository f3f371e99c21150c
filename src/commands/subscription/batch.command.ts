import { subscriptionCreate } from '../../contract/resources/subscription.ts';
import { batchCommand } from '../../requests/batch/batch-command.ts';

export default batchCommand(subscriptionCreate, {
  summary: 'Create many subscriptions, from a file',
  description: `Each line is a subscription: customer (an id, as \`gw customer batch\` prints it),
    plan (also by its name), frequency and reference. The fields start_date, end_date and is_active are optional.

    You can run the file again, even corrected: gw creates no subscription twice, because
    references are unique.`,
  examples: [
    'gw subscription batch subscriptions.csv --profile local --dry-run',
    'gw subscription batch subscriptions.csv --profile local --failed to-correct.csv',
  ],
});
