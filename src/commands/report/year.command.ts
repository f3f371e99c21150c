import { command } from '../../cli/dispatch/command.ts';
import { MONEY_REPORT, periodReportFlags, reportDivision, reportOptions } from './report-flags.ts';
import { REPORT_VIEW } from './report-view.ts';

export default command({
  summary: 'Show what was taken, refunded and declined in a year',
  description: MONEY_REPORT,
  prints: REPORT_VIEW,
  examples: [
    'gw report year --profile local',
    'gw report year 2026 --profile local --by card -o csv',
  ],
  args: {
    date: { description: 'The year: 2026, last-year. Default: this year.' },
  },
  flags: periodReportFlags,

  async run(context, { args, flags }) {
    const { runPeriodReport } = await import('./run-money-report.ts');
    const options = reportOptions(flags, args.date);
    await runPeriodReport(context, 'year', options, reportDivision(flags));
  },
});
