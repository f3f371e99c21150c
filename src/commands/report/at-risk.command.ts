import { command } from '../../cli/dispatch/command.ts';
import { customerFlag, plainReportFlags, reportOptions } from '../../desk/report/report-flags.ts';
import { AT_RISK_VIEW } from '../../desk/report/report-view.ts';

export default command({
  summary: 'List subscriptions whose payments are at risk, worst first',
  description: `Lists subscriptions with the customer, the amount of a charge, the next date, and what is due.

    A payment is at risk if it is due, and the last charge was given up or is being retried, or the card has
    expired, or expires within 30 days or before a charge. A subscription that was stopped or has ended is charged no
    more, and is not at risk.

    The sum has every charge that is due in the period and may fail, as the one of \`gw report forecast\`: by default
    those of this month, from today on.

    gw uses the record as last seen here, or a later webhook. An unknown value is a
    question mark, or null.

    \`gw report at-risk -o id | gw subscription get -\` looks them all up again.`,
  prints: AT_RISK_VIEW,
  examples: ['gw report at-risk --profile local', 'gw report at-risk --profile local -o csv'],
  args: {
    date: {
      description:
        'Those with a charge that is due then: this week, april, next month. Default: all, with what is due this month.',
    },
  },
  takesMany: true,
  flags: { ...customerFlag, ...plainReportFlags },

  async run(context, { argv, flags }) {
    const { runAtRiskReport } = await import('../../desk/report/run-subscription-report.ts');
    const { ofWhom } = await import('../../desk/report/payers.ts');
    const { customer, date } = ofWhom(argv, flags.customer);
    await runAtRiskReport(context, { ...reportOptions(flags, date), customer });
  },
});
