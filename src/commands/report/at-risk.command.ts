import { command } from '../../cli/dispatch/command.ts';
import { plainReportFlags, reportOptions } from '../../desk/report/report-flags.ts';
import { AT_RISK_VIEW } from '../../desk/report/report-view.ts';

export default command({
  summary: 'List subscriptions whose payments are at risk, worst first',
  description: `Lists subscriptions with the customer, the amount at stake and the next date.

    A payment is at risk if the last charge was given up or is being retried. It is also at
    risk if the card has expired, or expires within 30 days or before the next charge.

    gw uses the record as last seen here, or a later webhook. An unknown value is a
    question mark, or null.

    \`gw report at-risk -o id | gw subscription get -\` looks them all up again. A date, --since and
    --until choose by the next date.`,
  prints: AT_RISK_VIEW,
  examples: ['gw report at-risk --profile local', 'gw report at-risk --profile local -o csv'],
  args: {
    date: {
      description: 'Those whose next date is then: this week, april, next month. Default: all.',
    },
  },
  flags: plainReportFlags,

  async run(context, { args, flags }) {
    const { runAtRiskReport } = await import('../../desk/report/run-subscription-report.ts');
    await runAtRiskReport(context, reportOptions(flags, args.date));
  },
});
