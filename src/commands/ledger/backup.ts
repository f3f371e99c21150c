import { command } from '../../dispatch/command.ts';
import { option } from '../../flags/flag.ts';
import { profileFlag } from '../../flags/global-flags.ts';

export default command({
  summary: 'Back the ledger up into a file',
  description: `Writes the ledger as it is at one moment into a new file that only you may read, while others
    go on: all of it, also what is so far in the log beside the file. The file is a ledger:
    \`gw ledger status FILE\` shows it, and \`gw ledger copy FILE\` brings it back.`,
  examples: ['gw ledger backup ./ledger-backup.db', 'gw ledger backup ./today.db --from file'],
  args: { file: { description: 'Path of the file that is to be.', required: true } },
  flags: {
    from: option({
      description:
        'Ledger that is backed up: `file`, a path, or an address. Default: the one in use.',
      helpValue: '<ledger>',
    }),
    ...profileFlag,
  },

  async run(context, { args, flags }) {
    const { backUpLedger } = await import('../../team/backup.ts');
    await backUpLedger(context, args.file, { from: flags.from, profile: flags.profile });
  },
});
