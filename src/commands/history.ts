import { command } from '../dispatch/command.ts';
import { ofProfileFlag, whenFlags } from '../flags/fact-flags.ts';
import { option } from '../flags/flag.ts';
import { printFlags } from '../flags/global-flags.ts';

export default command({
  summary: 'Show what happened to a record and all that it is tied to',
  description: `One timeline in words, oldest first: purchases and refunds, charges of subscriptions and
    their retries, declines with their reason, cards that expire, money requests that were sent from
    here, events that were received. A customer has all of its subscriptions and of its card; a
    subscription its charges; a plan its subscriptions; a purchase its refunds. What is known from
    several sources is one line that names them. It ends with sums per currency on stderr. Nothing is
    asked of the gateway.`,
  examples: [
    'gw history 071-P-IE49OSAF',
    'gw history INV-1000 -o json',
    'gw history ada@example.com --profile local --since 2026-01-01',
  ],
  args: {
    name: { description: 'Id, reference, email, name or token.', required: true },
  },
  flags: {
    ...whenFlags,
    ...ofProfileFlag,
    limit: option({
      description: 'How many to show, the latest ones; sums are of all.',
      helpValue: '<integer>',
      helpGroup: 'FILTER',
      default: '500',
    }),
    ...printFlags,
  },

  async run(context, { args, flags }) {
    const { runHistory } = await import('../operations/run-history.ts');
    await runHistory(context, args.name, flags);
  },
});
