import { command } from '../cli/dispatch/command.ts';
import { batchArgs, batchFlags, columnFlags } from '../cli/flags/batch-flags.ts';
import { option } from '../cli/flags/flag.ts';
import {
  interactionFlags,
  printFlags,
  profileFlag,
  requestFlags,
} from '../cli/flags/global-flags.ts';
import { TIMES, timeZoneFlag } from '../cli/flags/parse-time.ts';
import { usage } from '../failure.ts';
import { RECONCILED_OUTCOMES } from '../view/records/reconciled-row.ts';

export default command({
  summary: 'Compare your books with the gateway, row by row',
  description: `Looks up each row of the file at the gateway once, several rows at a time, and changes nothing.
    A row names its record by id, purchase, refund, subscription or transaction_id (all of them
    ids), or by reference, and has the fields to compare: amount in minor units or decimal_amount,
    currency, successful or authorized (true, false), state (such as approved, declined), message,
    is_active. Fields that a row leaves out are not compared; a refund's amount may be negative or
    positive. If the gateway cannot look up a reference, gw uses the id that the ledger has for it.
    The whole file is checked before gw asks the gateway.

    Prints one result for each row, in the same order: matches; differs (which fields, and both
    values); repeats (the record of an earlier row); not-found; not-asked (why). Then come those
    that are missing-in-file: purchases and refunds that the ledger has from the days between the
    first and the last record found, that were not declined, and that the file lacks. The totals of
    both sides are on stderr, net of refunds and without declined payments. Exits with 9 unless
    everything matches.`,
  examples: [
    'gw reconcile books.csv --profile local',
    'gw reconcile books.csv --profile local --outcome differs --outcome missing-in-file -o jsonl',
    'gw reconcile books.csv --profile local --since 2026-01-01 --until 2026-01-31 --failed to-check.csv',
  ],
  args: batchArgs,
  flags: {
    failed: option({
      description:
        'Write the rows that do not match to this file, unchanged; an existing file is replaced.',
      helpValue: '<file>',
    }),
    outcome: option({
      options: RECONCILED_OUTCOMES,
      description: 'Print only results with this outcome.',
      multiple: true,
    }),
    since: option({
      description: `Look for records missing in the file from this time on: ${TIMES}.`,
      helpValue: '<time>',
    }),
    until: option({
      description: 'Look for them up to this time; a date includes that whole day.',
      helpValue: '<time>',
    }),
    ...timeZoneFlag,
    ...columnFlags,
    concurrency: batchFlags.concurrency,
    rate: batchFlags.rate,
    'stop-after-failures': option({
      description:
        'Stop once the gateway could not be asked about this many rows. Default: when the first 20 all fail alike.',
      helpValue: '<integer>',
      helpGroup: 'BATCH',
    }),
    ...printFlags,
    ...profileFlag,
    ...requestFlags,
    ...interactionFlags,
  },
  async run(context, { args: { file }, flags }) {
    if (file === undefined && context.host.stdin.isTerminal) {
      throw usage('input-missing', 'No file given.', 'Name a file, or pipe the rows in.');
    }
    const { runReconcile } = await import('../desk/reconcile/run-reconcile.ts');
    const { reconcileOptions } = await import('../desk/reconcile/reconcile-options.ts');
    const options = reconcileOptions(context.host, flags);
    await runReconcile(context, { source: file ?? '-', options });
  },
});
