import { command } from '../../cli/dispatch/command.ts';
import { MONEY_REPORT, periodReportFlags, reportDivision, reportOptions } from './report-flags.ts';
import { REPORT_VIEW } from './report-view.ts';

export default command({
  summary: 'Show what was taken, refunded and declined on a day',
  description: MONEY_REPORT,
  prints: REPORT_VIEW,
  examples: ['gw report day --profile local', 'gw report day yesterday --profile local -o csv'],
  args: {
    date: { description: 'The day: today, yesterday, 7d or 2026-03-24. Default: today.' },
  },
  flags: periodReportFlags,

  async run(context, { args, flags }) {
    const { runPeriodReport } = await import('./run-money-report.ts');
    const options = reportOptions(flags, args.date);
    await runPeriodReport(context, 'day', options, reportDivision(flags));
  },
});
