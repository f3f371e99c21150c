import { command } from '../../cli/dispatch/command.ts';
import { option } from '../../cli/flags/flag.ts';
import { reportFlags, reportOptions } from '../../desk/report/report-flags.ts';
import { FORECAST_GROUPINGS } from '../../desk/report/report-view.ts';
import { forecastView } from '../../desk/report/sum-views.ts';

export default command({
  summary: 'Show what the known subscriptions will be charged, day by day',
  description: `Shows charges due from today on, pending retries, and cards that expire before a charge.
    It covers the subscriptions that were seen here or in webhooks.

    It uses the billing rules of the built-in test gateway, and assumes that every charge
    succeeds. A charge that falls due after its card has expired has a row (\`card expires\`), and is in no sum. Of all
    that is due, stderr says how much is at risk, which \`gw report at-risk\` lists. Days are the gateway's own (\`next_billing_date\`).

    The amount is the plan's, otherwise that of the last charge. A row without an amount
    says so.

    A period without a year is the current or the next one: may, next month, friday. \`next 3 months\` begins
    today.

    --since and --until give the first and the last day instead of a period.`,
  prints: forecastView('day'),
  examples: [
    'gw report forecast month --profile local',
    'gw report forecast next 3 months --profile local --by month',
    'gw report forecast --until 2026-12-31 --profile local -o csv',
  ],
  args: {
    period: {
      description: 'The period: day, week, month, quarter or year. Default: month.',
      choices: ['day', 'week', 'month', 'quarter', 'year'],
    },
    date: {
      description: 'Which one: 2026-03, next month, or a day in it. Default: the current one.',
    },
  },
  takesMany: true,
  flags: {
    by: option({
      options: FORECAST_GROUPINGS,
      description: 'Divide the sums by day, week, month or plan.',
      default: 'day',
    }),
    ...reportFlags,
  },

  async run(context, { argv, flags }) {
    const { runForecast } = await import('../../desk/report/run-subscription-report.ts');
    await runForecast(context, argv, { ...reportOptions(flags), by: flags.by });
  },
});
