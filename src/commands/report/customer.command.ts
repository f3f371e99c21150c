import { command } from '../../cli/dispatch/command.ts';
import { inGroup } from '../../cli/flags/flag.ts';
import { movementReportFlags, reportOptions } from '../../desk/report/report-flags.ts';
import { MOVEMENTS_VIEW } from '../../desk/report/report-view.ts';

export default command({
  summary: 'Write the statement of a customer: payments and refunds',
  description: `Says how much a customer did pay in a month, a quarter or a year. Lists the payments and refunds of one customer, oldest first, with their sums: those of a period, or all that are
    known. These are the rows of \`gw report charges --customer\`.

    A name needs no quotes, and a part of it is enough if one customer has it: \`gw report customer ada byron last month\`.
    --html writes a page to print or to send.`,
  prints: MOVEMENTS_VIEW,
  examples: [
    'gw report customer ada@example.com --profile local',
    'gw report customer ada byron last month --profile local',
    'gw report customer CUST-1 q1 --profile local --html statement.html',
  ],
  args: {
    name: {
      description:
        'Id, reference, email or name of the customer, and perhaps a period behind it: march, q1, last month.',
      required: true,
    },
  },
  takesMany: true,
  flags: {
    declines: inGroup('FILTER').toggle({
      description: 'Also list declined attempts, with their reasons.',
    }),
    ...movementReportFlags,
  },

  async run(context, { argv, flags }) {
    const { runCustomerStatement } = await import('../../desk/report/run-movement-report.ts');
    await runCustomerStatement(context, argv, {
      ...reportOptions(flags),
      hasDeclines: flags.declines ?? false,
    });
  },
});
