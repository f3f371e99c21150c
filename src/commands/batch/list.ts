import { command } from '../../dispatch/command.ts';
import { option } from '../../flags/flag.ts';
import { ledgerOfFlag, printFlags } from '../../flags/global-flags.ts';

export default command({
  summary: 'List the batches that were run, and how their lines ended',
  description: `A batch is known by the lines that were sent for it, whoever ran it and however often: by its
    name (--batch), or by a digest of what it asks for. Lines that were never sent are not counted.`,
  examples: ['gw batch list', 'gw batch list --limit 5 -o jsonl'],
  flags: {
    limit: option({
      description: 'Batches to show, those that ran last first.',
      helpValue: '<integer>',
      default: '50',
    }),
    ...ledgerOfFlag,
    ...printFlags,
  },

  async run(context, { flags }) {
    const { listBatches } = await import('../../operations/known-batches.ts');
    await listBatches(context, flags);
  },
});
