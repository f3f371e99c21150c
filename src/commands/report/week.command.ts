import { command } from '../../cli/dispatch/command.ts';
import { MONEY_REPORT, periodReportFlags, reportDivision, reportOptions } from './report-flags.ts';
import { REPORT_VIEW } from './report-view.ts';

export default command({
  summary: 'Show what was taken, refunded and declined in a week',
  description: MONEY_REPORT,
  prints: REPORT_VIEW,
  examples: ['gw report week --profile local --chart', 'gw report week 7d --profile local -o json'],
  args: {
    date: {
      description:
        'The week, starting on Monday, by a day in it: 2026-03-24, or 7d for last week. Default: this week.',
    },
  },
  flags: periodReportFlags,

  async run(context, { args, flags }) {
    const { runPeriodReport } = await import('./run-money-report.ts');
    const options = reportOptions(flags, args.date);
    await runPeriodReport(context, 'week', options, reportDivision(flags));
  },
});
