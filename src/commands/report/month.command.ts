import { command } from '../../cli/dispatch/command.ts';
import { MONEY_REPORT, periodReportFlags, reportDivision, reportOptions } from './report-flags.ts';
import { REPORT_VIEW } from './report-view.ts';

export default command({
  summary: 'Show what was taken, refunded and declined in a month',
  description: MONEY_REPORT,
  prints: REPORT_VIEW,
  examples: [
    'gw report month --profile local',
    'gw report month 2026-03 --profile local --time-zone Australia/Sydney -o csv',
  ],
  args: {
    date: { description: 'The month: 2026-03, or a day in it. Default: this month.' },
  },
  flags: periodReportFlags,

  async run(context, { args, flags }) {
    const { runPeriodReport } = await import('./run-money-report.ts');
    const options = reportOptions(flags, args.date);
    await runPeriodReport(context, 'month', options, reportDivision(flags));
  },
});
