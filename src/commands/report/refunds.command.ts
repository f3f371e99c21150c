import { command } from '../../cli/dispatch/command.ts';
import { option } from '../../cli/flags/flag.ts';
import { moneyReportFlags, periodArg, reportOptions } from '../../desk/report/report-flags.ts';
import { REFUND_GROUPINGS } from '../../desk/report/report-view.ts';
import { refundsView } from '../../desk/report/sum-views.ts';

export default command({
  summary: 'Add up refunds by who made them, who approved them, or why',
  description: `Adds up the refunds of a period by operator, by who approved them, by their notes, by the customer or the plan of
    the payment, by day or by month. \`gw report charges
    --refunds\` lists each of them with its purchase, customer, operator, who approved it, and why.

    The reason is the note of whoever refunded. A profile with --require-note sends no refund
    without one.`,
  prints: refundsView('operator'),
  examples: [
    'gw report refunds --profile local',
    'gw report refunds 2026-03 --profile local --by reason',
  ],
  args: periodArg,
  flags: {
    by: option({
      options: REFUND_GROUPINGS,
      description: 'What to group refunds by.',
      default: 'operator',
    }),
    ...moneyReportFlags,
  },

  async run(context, { args, flags }) {
    const { runRefundsReport } = await import('./run-money-report.ts');
    await runRefundsReport(context, flags.by, reportOptions(flags, args.date));
  },
});
