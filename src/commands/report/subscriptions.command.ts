import { command } from '../../cli/dispatch/command.ts';
import { option } from '../../cli/flags/flag.ts';
import { periodArg, reportFlags, reportOptions } from '../../desk/report/report-flags.ts';
import { SUBSCRIPTIONS_VIEW } from '../../desk/report/report-view.ts';

export default command({
  summary: 'Show how many subscriptions began, stopped and are active',
  description: `Counts the known subscriptions of a period by plan and currency: new, stopped, and
    active on its last day. It also shows what the active ones bring in a month. The row of all plans has no plan in
    JSON. CSV and workbooks lack it, because people add up their columns.

    A subscription is new on its start date. It is stopped on the day of the stop, where gw sent that or a
    webhook told of it, otherwise on the first charge that it missed; one with an end, on the day after. One that was
    stopped and resumed in between counts as active.

    A move with \`gw subscription move\` is neither: \`moved\` has those that came from another plan, less
    those that went to one.

    --by subscription lists each that began, moved, stopped or ended: the day, the customer and why.

    Churn is the share of the subscriptions active before the period that stopped in it. A charge
    that failed after all retries is given up; its subscription stays active.

    A year has 52 weeks and 365 days. Days are the gateway's own.`,
  prints: SUBSCRIPTIONS_VIEW,
  examples: [
    'gw report subscriptions --profile local',
    'gw report subscriptions 2026-03 --profile local --chart',
    'gw report subscriptions february --by subscription --profile local',
  ],
  args: periodArg,
  flags: {
    by: option({
      options: ['subscription'] as const,
      description: 'A row for each subscription that began, moved, stopped or ended.',
      exclusive: ['chart'],
    }),
    ...reportFlags,
  },

  async run(context, { args, flags }) {
    const { runSubscriptionsReport } = await import('../../desk/report/run-subscription-report.ts');
    await runSubscriptionsReport(context, {
      ...reportOptions(flags, args.date),
      isByName: flags.by === 'subscription',
    });
  },
});
