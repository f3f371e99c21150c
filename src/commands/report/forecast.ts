import { command } from '../../cli/dispatch/command.ts';
import { reportFlags, reportOptions } from '../../cli/flags/report-flags.ts';
import { usage } from '../../failure.ts';

export default command({
  summary: 'Show what the known subscriptions will be charged, day by day',
  description: `Uses the billing rules of the embedded gateway and assumes that every charge
    succeeds. Shows charges due from today on, pending retries, and cards that expire before a
    charge, on the day of the charge that would fail. Days are the gateway's own
    (\`next_billing_date\`). It covers the subscriptions that were seen here or in webhooks. The
    amount is the plan's or, if unknown, that of the last charge; a row without an amount says so.`,
  examples: [
    'gw report forecast month --profile local',
    'gw report forecast week --profile local -o csv',
  ],
  args: {
    period: { description: 'The period: day, week or month.', required: true },
    date: {
      description: 'Which one: 2026-03, or a day in it. Default: the current one.',
    },
  },
  flags: reportFlags,

  async run(context, { args, flags }) {
    const { period: kind } = args;
    if (kind !== 'week' && kind !== 'month' && kind !== 'day')
      throw usage(
        'forecast-period-unknown',
        `A forecast covers a day, a week or a month, not ${JSON.stringify(kind)}.`,
        'Example: `gw report forecast month`.',
      );
    const { runForecast } = await import('../../desk/reports/run-subscription-report.ts');
    await runForecast(context, { kind, date: args.date }, reportOptions(flags));
  },
});
