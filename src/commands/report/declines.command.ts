import { command } from '../../cli/dispatch/command.ts';
import { option } from '../../cli/flags/flag.ts';
import {
  customerFlag,
  moneyReportFlags,
  recentArg,
  reportOptions,
} from '../../desk/report/report-flags.ts';
import { declinesView } from '../../desk/report/sum-views.ts';

export default command({
  summary: 'Show why cards were declined, and how often',
  description: `Counts declined purchases and charges by reason, with their share of all attempts, and in total. Each
    retry is an attempt. The row of the total, one for each currency, is the last, and has no reason in JSON. CSV and
    workbooks have no row of the total, because people add up their columns.

    A name has those of one customer, with the share of their own attempts: \`gw report declines ada byron march\`.`,
  prints: declinesView('reason'),
  examples: [
    'gw report declines --profile local',
    'gw report declines 2026-03 --profile local',
    'gw report declines --profile local --since 30d --by card -o json',
  ],
  args: recentArg,
  takesMany: true,
  flags: {
    ...customerFlag,
    by: option({
      options: ['reason', 'card', 'customer'] as const,
      description: 'What to group declines by; two customers of one name are two.',
      default: 'reason',
    }),
    ...moneyReportFlags,
  },

  async run(context, { argv, flags }) {
    const { runDeclinesReport } = await import('./run-money-report.ts');
    const { ofWhom } = await import('../../desk/report/payers.ts');
    const { customer, date } = ofWhom(argv, flags.customer);
    await runDeclinesReport(context, flags.by, { ...reportOptions(flags, date), customer });
  },
});
