import { command } from '../../cli/dispatch/command.ts';
import { inGroup } from '../../cli/flags/flag.ts';
import { parseInteger } from '../../cli/flags/parse-number.ts';
import { amountFlags, planFlag } from '../../cli/flags/search-flags.ts';
import {
  customerFlag,
  movementReportFlags,
  periodArg,
  reportOptions,
} from '../../desk/report/report-flags.ts';
import { MOVEMENTS_VIEW } from '../../desk/report/report-view.ts';
import { usage } from '../../failure.ts';

export default command({
  summary: 'List every charge and refund of a period',
  description: `Lists purchases, charges of subscriptions and refunds of a period, oldest first, with
    customer and reference.

    These are what \`gw report month\` adds up. A refund is negative, so the amounts of one
    currency add up to what is left; with --declines, those of the approved rows do. --amount, --min and --max go by the amount
    of each row, so a refund may be left out without its payment. CSV has each amount in minor units and as a decimal,
    a workbook as a decimal alone.

    --sample 20 draws the same rows for the same seed, on every machine: a hash of the seed and the id of
    each row decides. The sums on stderr are those of all rows.

    For a spreadsheet, --excel and --xlsx have the day and the time in the zone of the report in place of \`at\`, and a
    star before the last four digits of a card. A reference such as 0077 or 2026-03 stays what it is: CSV has it as
    \`="0077"\`, which gw reads as 0077.`,
  prints: MOVEMENTS_VIEW,
  examples: [
    'gw report charges --profile local',
    'gw report charges q1 --largest 10 --profile local',
    'gw report charges q1 --customer ada@example.com --profile local --xlsx statement.xlsx',
  ],
  args: periodArg,
  takesMany: true,
  flags: {
    declines: inGroup('FILTER').toggle({
      description: 'Also list declined attempts, with their reasons.',
    }),
    ...customerFlag,
    refunds: inGroup('FILTER').toggle({
      description: 'Only refunds, each with its purchase, operator, who approved it, and why.',
      exclusive: ['declines'],
    }),
    'without-note': inGroup('FILTER').toggle({
      description: 'Only refunds for which nobody gave a note.',
      exclusive: ['declines'],
    }),
    ...amountFlags,
    ...planFlag,
    largest: inGroup('FILTER').option({
      description:
        'Only so many of each currency: those of the largest amounts, the largest first.',
      helpValue: '<integer>',
      exclusive: ['sample'],
    }),
    sample: inGroup('FILTER').option({
      description:
        'Only so many of them, for an audit. The seed and their ids choose them, so others draw the same ones.',
      helpValue: '<integer>',
    }),
    seed: inGroup('FILTER').option({
      description: 'The text that draws the sample. Default: 1.',
      helpValue: '<text>',
    }),
    ...movementReportFlags,
  },

  async run(context, { argv, flags }) {
    const { 'without-note': isWithoutNote = false, amount, min, max, plan } = flags;
    const { sample, seed, largest } = flags;
    if (seed !== undefined && sample === undefined)
      throw usage(
        'flag-missing',
        '--seed draws a sample, and --sample says how many rows it has.',
        'Add --sample 20, or leave out --seed.',
      );
    const { runChargesReport } = await import('../../desk/report/run-movement-report.ts');
    const { ofWhom } = await import('../../desk/report/payers.ts');
    const { customer, date } = ofWhom(argv, flags.customer);
    await runChargesReport(context, {
      ...reportOptions(flags, date),
      customer,
      hasDeclines: flags.declines ?? false,
      hasRefundsOnly: flags.refunds ?? isWithoutNote,
      isWithoutNote,
      amounts: { amount, min, max },
      plan,
      largest: largest === undefined ? undefined : parseInteger('largest', largest),
      sample:
        sample === undefined
          ? undefined
          : { size: parseInteger('sample', sample), seed: seed ?? '1' },
    });
  },
});
