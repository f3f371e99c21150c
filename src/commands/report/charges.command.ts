import { command } from '../../cli/dispatch/command.ts';
import { inGroup } from '../../cli/flags/flag.ts';
import { usage } from '../../failure.ts';
import { monthArg, movementReportFlags, reportOptions } from './report-flags.ts';
import { MOVEMENTS_VIEW } from './report-view.ts';

export default command({
  summary: 'List every charge and refund of a month',
  description: `Lists purchases, charges of subscriptions and refunds of a period, oldest first, with
    customer and reference.

    These are what \`gw report month\` adds up. A refund is negative, so the amounts of one
    currency add up to what is left. CSV has each amount in minor units and as a decimal.

    For a spreadsheet, --excel and --xlsx have the day and the time in the zone of the report in place of \`at\`, and a
    star before the last four digits of a card. A reference such as 0077 or 2026-03 stays what it is: CSV has it as
    \`="0077"\`, which gw reads as 0077.`,
  prints: MOVEMENTS_VIEW,
  examples: [
    'gw report charges --profile local',
    'gw report charges 2026-03 --profile local --excel > march.csv',
    'gw report charges 2026-03 --profile local --time-zone Australia/Sydney --xlsx march.xlsx',
  ],
  args: monthArg,
  flags: {
    declines: inGroup('FILTER').toggle({
      description: 'Also list declined attempts, with their reasons.',
    }),
    excel: inGroup('OUTPUT').toggle({
      description:
        "Print CSV for Excel and LibreOffice: days, times and texts that stay what they are, in your language's form.",
      exclusive: ['json', 'jq'],
    }),
    xlsx: inGroup('OUTPUT').option({
      description: 'Write a workbook of Excel to this file, which must not exist yet.',
      helpValue: '<file>',
      exclusive: ['excel', 'output', 'json', 'jq', 'header', 'no-formulas'],
    }),
    ...movementReportFlags,
  },

  async run(context, { args, flags }) {
    const { runChargesReport } = await import('./run-movement-report.ts');
    const { output, ...options } = reportOptions(flags, args.date);
    if (flags.excel && (flags.output ?? 'csv') !== 'csv')
      throw usage(
        'flags-exclusive',
        `--excel prints CSV, and -o asks for ${flags.output}.`,
        'Leave one of them out.',
      );
    const forExcel = { format: 'csv', hasNoFormulas: true, isForExcel: true } as const;
    await runChargesReport(context, {
      ...options,
      output: flags.excel ? { ...output, ...forExcel } : { ...output, workbook: flags.xlsx },
      hasDeclines: flags.declines ?? false,
    });
  },
});
