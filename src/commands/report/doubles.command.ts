import { command } from '../../cli/dispatch/command.ts';
import { inGroup } from '../../cli/flags/flag.ts';
import { movementReportFlags, recentArg, reportOptions } from '../../desk/report/report-flags.ts';
import { DOUBLES_VIEW } from '../../desk/report/report-view.ts';

export default command({
  summary: 'List what may have been charged twice',
  description: `Lists approved purchases and charges of the same card and amount less than a day apart,
    with their refunds. Refunds of a later month count too: a double that was refunded stays here, and
    is not on the owner's page.

    gw cannot know whether the customer wanted both: look at their references.`,
  prints: DOUBLES_VIEW,
  examples: [
    'gw report doubles --profile local',
    'gw report doubles --profile local --since 7d -o json',
  ],
  args: recentArg,
  flags: {
    customer: inGroup('FILTER').option({
      description:
        'Only those of this customer: an id, email or name, or the reference of a charge.',
      helpValue: '<customer>',
    }),
    ...movementReportFlags,
  },

  async run(context, { args, flags }) {
    const { runDoublesReport } = await import('../../desk/report/run-movement-report.ts');
    const { customer } = flags;
    await runDoublesReport(context, { ...reportOptions(flags, args.date), customer });
  },
});
