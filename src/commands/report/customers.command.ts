import { command } from '../../cli/dispatch/command.ts';
import { inGroup } from '../../cli/flags/flag.ts';
import { parseInteger } from '../../cli/flags/parse-number.ts';
import { movementReportFlags, periodArg, reportOptions } from '../../desk/report/report-flags.ts';
import { CUSTOMERS_VIEW } from '../../desk/report/report-view.ts';

export default command({
  summary: 'List the customers who paid most in a period',
  description: `Adds up what each customer paid and got back in a period. Customers with the most left
    after refunds come first, in each currency.

    A payment by token belongs to the customer who has this card. gw tells other people
    apart by card and name.`,
  prints: CUSTOMERS_VIEW,
  examples: [
    'gw report customers --profile local',
    'gw report customers --profile local --since 2026-01-01 -o csv',
  ],
  args: periodArg,
  flags: {
    limit: inGroup('FILTER').option({
      char: 'L',
      description: 'Customers to show in each currency.',
      helpValue: '<integer>',
      default: '20',
    }),
    ...movementReportFlags,
  },

  async run(context, { args, flags }) {
    const limit = parseInteger('limit', flags.limit);
    const { runCustomersReport } = await import('../../desk/report/run-movement-report.ts');
    await runCustomersReport(context, { ...reportOptions(flags, args.date), limit });
  },
});
