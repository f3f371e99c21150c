import { command } from '../../dispatch/command.ts';
import { usage } from '../../failure.ts';
import { reportFlags } from '../../flags/report-flags.ts';

export default command({
  summary: 'What the known subscriptions will be charged, day by day',
  description: `By the rules that the embedded gateway bills by, as if every charge succeeded: charges that
    fall due from today on, retries that wait, and cards that expire before a charge, on the day of the
    charge that is missed. Days are the gateway's own (\`next_billing_date\`). It knows the
    subscriptions that were seen here or that web hooks told of; an amount is that of the plan, else
    of the last charge, and a row without one says so.`,
  examples: [
    'gw report forecast month --profile local',
    'gw report forecast week --profile local -o csv',
  ],
  args: {
    period: { description: 'What it is of: day, week or month.', required: true },
    date: { description: 'Which one: 2026-W13, 2026-03, or a day in it; this one without it.' },
  },
  flags: reportFlags,

  async run(context, { args, flags }) {
    const { period: kind } = args;
    if (kind !== 'week' && kind !== 'month' && kind !== 'day')
      throw usage(
        'forecast-period-unknown',
        `A forecast is of a day, a week or a month, not of ${JSON.stringify(kind)}.`,
        'For example `gw report forecast month`.',
      );
    const { runForecast } = await import('../../operations/run-subscription-report.ts');
    await runForecast(context, { kind, date: args.date }, flags);
  },
});
