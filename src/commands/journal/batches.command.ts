import { command } from '../../cli/dispatch/command.ts';
import { outputOptions } from '../../cli/flags/command-options.ts';
import { printFlags } from '../../cli/flags/global-flags.ts';
import {
  limitOf,
  listLimitFlag,
  ofProfileFlags,
  outcomeFlagOf,
  readOutcomes,
} from '../../cli/flags/search-flags.ts';
import { profileChoice } from '../../cli/flags/whose.ts';
import { ENTRY_STATES } from '../../journal/ledger.ts';
import { BATCH_VIEW } from './batch.ts';

export default command({
  summary: 'List the batches that were run, or the lines of one of them',
  description: `Lists every batch of which gw sent a line. Its name is the one you gave it with --batch,
    or a digest of its lines. It stays the same batch when you run it again.

    With a name, gw lists the lines of that batch in the order in which it first sent them. If a
    line was tried several times, gw shows an attempt that succeeded, otherwise one that may have
    succeeded, otherwise the last. A line that was refused here, or not reached, was not sent, and is not among them:
    --failed of the batch keeps it.

    -o id prints the names of batches. For lines, it prints ids for \`gw journal show\` and
    \`gw journal resolve\`.`,
  prints: BATCH_VIEW,
  examples: [
    'gw journal batches',
    'gw journal batches $(gw journal batches -p local --limit 1 -o id) -p local',
    'gw journal batches returns-march -p local --outcome unknown -o csv',
  ],
  args: {
    batch: { description: 'Name of a batch, or enough of the first characters of its digest.' },
  },
  flags: {
    ...outcomeFlagOf(
      ENTRY_STATES,
      'lines with these outcomes (without a name: only batches that have some)',
    ),
    ...listLimitFlag('Without a name: the number of batches to show, most recent first'),
    ...ofProfileFlags,
    ...printFlags,
  },

  async run(context, { args: { batch }, flags }) {
    const { listBatches, showBatch } = await import('./run-batches.ts');
    const outcomes = readOutcomes(flags.outcome, ENTRY_STATES);
    const choice = { ...profileChoice(flags), outcomes, output: outputOptions(flags) };
    if (batch !== undefined) return showBatch(context, batch, choice);
    await listBatches(context, { ...choice, limit: limitOf(flags.limit, choice.output) });
  },
});
