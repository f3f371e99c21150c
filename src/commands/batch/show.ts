import { command } from '../../cli/dispatch/command.ts';
import { outputOptions } from '../../cli/flags/command-options.ts';
import { idArg, option } from '../../cli/flags/flag.ts';
import { printFlags } from '../../cli/flags/global-flags.ts';
import { ofProfileFlags } from '../../cli/flags/search-flags.ts';
import { profileChoice } from '../../cli/flags/whose.ts';
import { ENTRY_STATES } from '../../journal/ledger.ts';

export default command({
  summary: 'Show the lines of a batch, and how each ended',
  description: `Shows the lines in the order in which they were first sent, each with the attempt that counts:
    one that succeeded, otherwise one that may have, otherwise the last. -o id prints the ids that
    \`gw journal show\` and \`gw journal resolve\` take.`,
  examples: [
    'gw batch show $(gw batch list -p local --limit 1 -o id) -p local',
    'gw batch show $(gw batch list -p local --limit 1 -o id) -p local --outcome unknown -o csv',
  ],
  args: idArg('Name of a batch, or enough of the first characters of its digest.'),
  flags: {
    outcome: option({
      options: ENTRY_STATES,
      description: 'Only lines with this outcome.',
      multiple: true,
    }),
    ...ofProfileFlags,
    ...printFlags,
  },

  async run(context, { args, flags }) {
    const { showBatch } = await import('../../desk/lists/known-batches.ts');
    await showBatch(context, args.id, {
      ...profileChoice(flags),
      outcomes: flags.outcome,
      output: outputOptions(flags),
    });
  },
});
