import { command } from '../../cli/dispatch/command.ts';
import { amountFlags, limitOf, listLimitFlag } from '../../cli/flags/search-flags.ts';
import { movementReportFlags, periodArg, reportOptions } from '../../desk/report/report-flags.ts';
import { CUSTOMERS_VIEW } from '../../desk/report/report-view.ts';

const MOST_SHOWN = 20;

export default command({
  summary: 'List the customers who paid most in a period',
  description: `Adds up what each customer paid and got back in a period. Customers with the most left
    after refunds come first, in each currency.

    --amount, --min and --max choose customers by what is left after refunds.

    A payment by token belongs to the customer who has this card. gw tells other people
    apart by card and name.`,
  prints: CUSTOMERS_VIEW,
  examples: [
    'gw report customers --profile local',
    'gw report customers --profile local --since 2026-01-01 -o csv',
  ],
  args: periodArg,
  flags: {
    ...listLimitFlag('Customers to show in each currency', MOST_SHOWN),
    ...amountFlags,
    ...movementReportFlags,
  },

  async run(context, { args, flags }) {
    const { amount, min, max } = flags;
    const options = reportOptions(flags, args.date);
    const limit = limitOf(flags.limit, options.output, MOST_SHOWN);
    const { runCustomersReport } = await import('../../desk/report/run-movement-report.ts');
    await runCustomersReport(context, { ...options, limit, amounts: { amount, min, max } });
  },
});
