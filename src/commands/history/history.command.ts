import { command } from '../../cli/dispatch/command.ts';
import { printFlags } from '../../cli/flags/global-flags.ts';
import { limitFlag, listOptions, ofProfileFlags, whenFlags } from '../../cli/flags/search-flags.ts';
import { itemView } from '../../desk/history/timeline-item.ts';

export default command({
  summary: 'Show all that happened to a record or customer, in order',
  description: `Prints one timeline in words, oldest first: purchases, refunds, charges, retries,
    declines with their reasons, expiring cards, requests and events.

    The history of a customer includes subscriptions and the card. The history of a subscription
    includes its charges, that of a plan its subscriptions, and that of a purchase its refunds.

    It says who made a refund, who stopped a subscription, what was changed, by whom and why.

    A line names every source that knows of it. Sums by currency follow on stderr. gw does
    not ask the gateway.`,
  prints: itemView([], ''),
  examples: [
    'gw history 071-P-IE49OSAF --profile local',
    'gw history INV-1000 --all-profiles -o json',
    'gw history ada@example.com --profile local --since 2026-01-01',
  ],
  args: {
    name: {
      description:
        'Id, reference, email, name or token, and perhaps a period behind it: march, last month.',
      required: true,
    },
  },
  takesMany: true,
  flags: {
    ...whenFlags,
    ...ofProfileFlags,
    ...limitFlag('500', 'Entries to show, the latest ones; the sums include all.'),
    ...printFlags,
  },

  async run(context, { argv, flags }) {
    const { runHistory } = await import('./run-history.ts');
    // People type names without quotes.
    await runHistory(context, argv, listOptions(flags));
  },
});
