import { command } from '../../cli/dispatch/command.ts';
import {
  customerFlag,
  movementReportFlags,
  recentArg,
  reportOptions,
} from '../../desk/report/report-flags.ts';
import { DOUBLES_VIEW } from '../../desk/report/report-view.ts';

export default command({
  summary: 'List what may have been charged twice',
  description: `Lists approved purchases and charges of the same card and amount less than a day apart,
    with their refunds. Refunds of a later month count too: a double that was refunded stays here, and
    is not on the owner's page.

    A customer who says that a card was charged two times, or double, is told by the same list. gw cannot know whether the customer wanted both: look at their references. A name lists those of one customer:
    \`gw report doubles ada byron march\`.`,
  prints: DOUBLES_VIEW,
  examples: [
    'gw report doubles --profile local',
    'gw report doubles --profile local --since 7d -o json',
  ],
  args: recentArg,
  takesMany: true,
  flags: {
    ...customerFlag,
    ...movementReportFlags,
  },

  async run(context, { argv, flags }) {
    const { runDoublesReport } = await import('../../desk/report/run-movement-report.ts');
    const { ofWhom } = await import('../../desk/report/payers.ts');
    const { customer, date } = ofWhom(argv, flags.customer);
    await runDoublesReport(context, { ...reportOptions(flags, date), customer });
  },
});
