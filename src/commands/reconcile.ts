import { command } from '../dispatch/command.ts';
import { usage } from '../failure.ts';
import { batchArgs, batchFlags, columnFlags } from '../flags/batch-flags.ts';
import { option } from '../flags/flag.ts';
import { interactionFlags, printFlags, profileFlag, requestFlags } from '../flags/global-flags.ts';
import { TIMES, timeZoneFlag } from '../flags/parse-time.ts';
import { RECONCILED_OUTCOMES } from '../reconcile/reconciled.ts';

export default command({
  summary: 'Compare your books with the gateway, row by row',
  description: `Each row of the file is looked up at the gateway once, several at the same time, and nothing is
    changed. A row names its record by id, purchase, refund, subscription or transaction_id (an id), or
    by reference, and says what is to be compared: amount in minor units or decimal_amount, currency,
    successful or authorized (true, false), state (such as approved, declined), message, is_active. What a row
    leaves out is not compared; a refund's amount may be below zero or above. A reference that the gateway
    does not look up is looked up by the id that the ledger knows for it. The whole file is checked
    before anything is asked.

    There is one result for each row, in their order: matches; differs (which fields, and both values);
    repeats (the record of an earlier row); not-found; not-asked (why). After them comes missing-in-file: the
    purchases and refunds that the ledger knows of the days from the first to the last record that was
    found, that the file lacks, and that were not declined. What both sides come to is on stderr, net of
    refunds and without what was declined. Anything but matches exits 9.`,
  examples: [
    'gw reconcile books.csv --profile local',
    'gw reconcile books.csv --profile local --outcome differs --outcome missing-in-file -o jsonl',
    'gw reconcile books.csv --profile local --since 2026-01-01 --until 2026-01-31 --failed to-check.csv',
  ],
  args: batchArgs,
  flags: {
    failed: option({
      description:
        'Write the rows that do not match here, as they came; a file that is there is replaced.',
      helpValue: '<file>',
    }),
    outcome: option({
      options: RECONCILED_OUTCOMES,
      description: 'Print only results with this outcome.',
      multiple: true,
      multipleNonGreedy: true,
    }),
    since: option({
      description: `What the file may lack begins here: ${TIMES}.`,
      helpValue: '<time>',
    }),
    until: option({
      description: 'What the file may lack ends here; a date is all of that day.',
      helpValue: '<time>',
    }),
    ...timeZoneFlag,
    ...columnFlags,
    concurrency: batchFlags.concurrency,
    rate: batchFlags.rate,
    'stop-after-failures': option({
      description:
        'Ask no more rows when this many could not be asked. Default: when the first 20 all fail alike.',
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
      throw usage('input-missing', 'No file given.', 'Name one, or pipe rows in.');
    }
    const { runReconcile } = await import('../reconcile/run-reconcile.ts');
    await runReconcile(context, { source: file ?? '-', flags });
  },
});
