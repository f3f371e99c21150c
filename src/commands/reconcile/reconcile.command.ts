/**
 * `gw reconcile`: its flags, and what it says of itself in the help.
 *
 * Tests: test/scripts/commands/reconcile.script, test/scripts/commands/reconcile-bank.script,
 * test/scripts/commands/reconcile-matches.script
 */
import type { DateOrder } from '../../base/date-column.ts';
import { command } from '../../cli/dispatch/command.ts';
import { batchArgs, batchFlags, columnFlags } from '../../cli/flags/batch-flags.ts';
import { inGroup, option, toggle } from '../../cli/flags/flag.ts';
import {
  interactionFlags,
  printFlags,
  profileFlag,
  requestFlags,
} from '../../cli/flags/global-flags.ts';
import { TIMES, timeZoneFlag } from '../../cli/flags/parse-time.ts';
import { outcomeFlagOf } from '../../cli/flags/search-flags.ts';
import { sheetFlags } from '../../cli/flags/sheet-flags.ts';
import { usage } from '../../failure.ts';
import { RECONCILED_OUTCOMES, RECONCILED_VIEW } from './reconciled-row.ts';

const file = inGroup('FILE');

export default command({
  summary: 'Compare your books with the gateway, row by row',
  description: `Looks up each row of your file at the gateway once, and changes nothing. gw checks the
    whole file first.

    A row names its record by reference, or by an id: id, purchase, refund, subscription or
    transaction_id. In a bank's text, such as CARD PMT INV 1042, gw finds the ids and references
    that this ledger knows.

    gw compares the other columns: amount in minor units or decimal_amount, currency, successful,
    authorized, state, message, is_active, and the date. A refund's amount may have either sign.
    decimal_amount is in the currency of its row, or else of the record. If a file has a debit and a
    credit side, the records tell which side is money in, and gw says which.

    The file may be a bank's, a processor's or a shop's: gw finds the names of its columns, reads
    its numbers and days as the whole column writes them, and says how it reads each column. Of
    several sums of a sale, the amount is the one that the records have. If there are two ways, gw
    asks, or prints a command for each. Further items of an order are no rows. A refund may have the
    id or the reference of its purchase: its sign, its side or its type tells.

    Each row has one result: matches, differs (with both values), late (the dates are further apart
    than --within), not-compared (one side lacks the amount), repeats an earlier row, not-found,
    ambiguous (it names several records, and its day and amount do not tell which), not-asked (with
    the reason), or unrelated. A subscription has no amount, and is compared without one.

    unrelated is a payment that has nothing to do with the gateway, such as rent, and no fault: money
    goes out, the row has no form of a reference and no word of a refund, and no word of the rows in
    which money comes in. Money that comes in is never unrelated here.

    After the rows come the results missing-in-file: purchases and refunds of the same days that the
    ledger has, without declined ones.

    A terminal lists what needs attention, and counts what matches; --outcome matches lists that. A pipe
    has every result. A file that is not UTF-8 is read as Windows-1252, which stderr says.

    --by settlement-day is for a bank's deposits, which name no records. Each is compared with
    the payments less refunds that were settled on a day, or on up to five days in a row, by
    what this ledger knows. JSON lists what the days were made of. Payments with other words than those of
    deposits, such as rent, are unrelated. gw takes this way by itself if no row names a record.

    gw names a fee that is the same share of each deposit, the same for each payment, or both. A deposit
    that is lower by just this fee is after-fee, which is no fault, if the fee explains three deposits
    and none was paid without it. An accountant books such a fee as a cost: one rate for all is what was
    agreed, and its sum is named. A rate for two deposits, or for some of them, proves nothing, so these
    differ. So does each deposit that the rate does not explain.

    A purchase that was refunded still matches: its row says how much was given back, as this ledger
    knows. A column with what was refunded (amount_refunded) differs if it has more than that. A row
    with an amount differs from a decline, unless it says that it is one. A row without a record whose
    name this ledger knows as declined says so.

    stderr shows how many amounts were compared, and the totals of both sides, less the refunds that are
    rows or missing-in-file: those of rows that were compared, and apart from them those that one side
    lacks. The exit code is 9 unless everything matches, is after-fee or is unrelated.`,
  prints: RECONCILED_VIEW,
  examples: [
    'gw reconcile books.csv --profile local',
    'gw reconcile books.csv --profile local --save mybank',
    'gw reconcile books.csv --profile local --since 2026-01-01 --until 2026-01-31 --xlsx results.xlsx',
  ],
  args: batchArgs,
  flags: {
    failed: option({
      description:
        'Write the rows that do not match to this file, unchanged; an existing file is replaced.',
      helpValue: '<file>',
    }),
    ...outcomeFlagOf(RECONCILED_OUTCOMES, 'results with these outcomes'),
    since: option({
      description: `Look for records missing in the file from this time on: ${TIMES}.`,
      helpValue: '<time>',
    }),
    until: option({
      description: 'Look for them up to this time. A date includes that day.',
      helpValue: '<time>',
    }),
    within: option({
      description: 'How many days the date of a row may be from that of its record. Default: 3d.',
      helpValue: '<days>',
    }),
    'without-subscriptions': toggle({
      description: 'Look for no charges of subscriptions in the file: it is of other sales alone.',
    }),
    by: option({
      options: ['settlement-day'],
      description: 'Compare deposits with the net of the days that the gateway settled.',
      // The gateway is asked about no row.
      exclusive: ['without-subscriptions', 'concurrency', 'rate', 'stop-after-failures'],
    }),
    ...timeZoneFlag,
    ...columnFlags,
    'decimal-mark': file.option({
      options: ['point', 'comma'],
      description: 'What separates the decimals in the file, if its cells do not tell.',
    }),
    'date-order': file.option({
      options: ['dmy', 'mdy', 'ymd'] satisfies DateOrder[],
      description:
        'The order of day, month and year in the file, if neither its cells nor the time zone tell it.',
    }),
    'debit-is': file.option({
      options: ['in', 'out'],
      description:
        'Whether a debit of the file is money that comes in or goes out. Default: what matches.',
    }),
    save: file.option({
      description: 'Keep how the file is read under this name, for --as.',
      helpValue: '<name>',
    }),
    as: file.option({
      description: 'Read the file like the one that was kept under this name.',
      helpValue: '<name>',
    }),
    concurrency: batchFlags.concurrency,
    rate: batchFlags.rate,
    'stop-after-failures': option({
      description:
        'Stop once the gateway could not be asked about this many rows. Default: when the first 20 all fail alike.',
      helpValue: '<integer>',
      helpGroup: 'BATCH',
    }),
    ...printFlags,
    ...sheetFlags,
    ...profileFlag,
    ...requestFlags,
    ...interactionFlags,
  },
  async run(context, { args: { file }, flags }) {
    if (file === undefined && context.host.stdin.isTerminal) {
      throw usage('input-missing', 'No file given.', 'Name a file, or pipe the rows in.');
    }
    const { runReconcile } = await import('./run-reconcile.ts');
    const { reconcileOptions } = await import('./reconcile-options.ts');
    const options = reconcileOptions(context.host, flags);
    await runReconcile(context, { source: file ?? '-', options });
  },
});
