import { command } from '../../cli/dispatch/command.ts';
import { plainReportFlags, reportOptions } from '../../cli/flags/report-flags.ts';

export default command({
  summary: 'List subscriptions whose payments are at risk, worst first',
  description: `Lists subscriptions whose last charge was given up, that stopped when their card expired,
    whose charge is being retried, or whose card expires before the next charge or within 30 days;
    with the customer, the amount at stake and the next date. gw goes by the record as last seen
    here, or by a later webhook event; what it does not know is a question mark, or null. \`gw
    report at-risk -o id | gw subscription get -\` looks them all up again. --since and --until keep
    those whose next date is in that time.`,
  examples: ['gw report at-risk --profile local', 'gw report at-risk --profile local -o csv'],
  flags: plainReportFlags,

  async run(context, { flags }) {
    const { runAtRiskReport } = await import('../../desk/reports/run-subscription-report.ts');
    await runAtRiskReport(context, reportOptions(flags));
  },
});
