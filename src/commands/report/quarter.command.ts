import { command } from '../../cli/dispatch/command.ts';
import { MONEY_REPORT, periodReportFlags, reportDivision, reportOptions } from './report-flags.ts';
import { REPORT_VIEW } from './report-view.ts';

export default command({
  summary: 'Show what was taken, refunded and declined in a quarter',
  description: MONEY_REPORT,
  prints: REPORT_VIEW,
  examples: [
    'gw report quarter --profile local',
    'gw report quarter 2026-Q1 --profile local --by week -o csv',
  ],
  args: {
    date: { description: 'The quarter: 2026-Q1, q1, last-quarter. Default: this quarter.' },
  },
  flags: periodReportFlags,

  async run(context, { args, flags }) {
    const { runPeriodReport } = await import('./run-money-report.ts');
    const options = reportOptions(flags, args.date);
    await runPeriodReport(context, 'quarter', options, reportDivision(flags));
  },
});
