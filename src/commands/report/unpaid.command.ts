import { command } from '../../cli/dispatch/command.ts';
import { inGroup, option } from '../../cli/flags/flag.ts';
import { customerFlag, plainReportFlags, reportOptions } from '../../desk/report/report-flags.ts';
import { UNPAID_VIEW } from '../../desk/report/report-view.ts';

export default command({
  summary: 'List what customers still owe, the oldest first',
  description: `Lists charges of subscriptions that were declined and that no later try paid, each once: since
    when, how often it was tried, why it was declined the last time, and when it is tried again. With --purchases, also
    purchases.

    A charge of a subscription and its retries ask for the same money, and so do attempts with one reference. \`gw
    get CUSTOMER\` says it of one customer, purchases included, and \`gw explain ID\` what to tell them.

    A period, --since and --until choose by the first decline. What was paid since is never here.`,
  prints: UNPAID_VIEW,
  examples: [
    'gw report unpaid --profile local',
    'gw report unpaid march --profile local --xlsx unpaid.xlsx',
    'gw report unpaid --by customer --profile local',
  ],
  args: {
    date: {
      description: 'Those that were first declined then: march, q1, last week. Default: all.',
    },
  },
  takesMany: true,
  flags: {
    purchases: inGroup('FILTER').toggle({
      description: 'Also list declined purchases, such as orders that wait for their money.',
    }),
    ...customerFlag,
    by: option({
      options: ['customer'] as const,
      description: 'A row for each customer: how many charges, their sum, and since when.',
    }),
    ...plainReportFlags,
  },

  async run(context, { argv, flags }) {
    const { runUnpaidReport } = await import('../../desk/report/run-subscription-report.ts');
    const { ofWhom } = await import('../../desk/report/payers.ts');
    const { customer, date } = ofWhom(argv, flags.customer);
    await runUnpaidReport(context, {
      ...reportOptions(flags, date),
      customer,
      hasPurchases: flags.purchases ?? false,
      isByCustomer: flags.by === 'customer',
    });
  },
});
