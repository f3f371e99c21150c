import { command } from '../../cli/dispatch/command.ts';
import { outputOptions } from '../../cli/flags/command-options.ts';
import { option } from '../../cli/flags/flag.ts';
import { printFlags } from '../../cli/flags/global-flags.ts';
import { parseInteger } from '../../cli/flags/parse-integer.ts';
import { ofProfileFlags } from '../../cli/flags/search-flags.ts';
import { profileChoice } from '../../cli/flags/whose.ts';

export default command({
  summary: 'List the batches that were run, and how their lines ended',
  description: `Shows every batch of which at least one line was sent, by its name (--batch) or by a digest of
    what it asks for. A batch that is run again, by whoever, stays the same batch. Lines that were
    never sent are not counted.`,
  examples: ['gw batch list', 'gw batch list --limit 5 -o jsonl'],
  flags: {
    limit: option({
      description: 'Batches to show, most recent first.',
      helpValue: '<integer>',
      default: '50',
    }),
    ...ofProfileFlags,
    ...printFlags,
  },

  async run(context, { flags }) {
    const { listBatches } = await import('../../desk/lists/known-batches.ts');
    await listBatches(context, {
      ...profileChoice(flags),
      limit: parseInteger('limit', flags.limit),
      output: outputOptions(flags),
    });
  },
});
