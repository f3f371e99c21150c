import { command } from '../../cli/dispatch/command.ts';
import { option } from '../../cli/flags/flag.ts';
import { profileFlag } from '../../cli/flags/global-flags.ts';

export default command({
  summary: 'Back up the ledger to a file',
  description: `Writes the whole ledger, as it is at one moment, to a new file that only you can
    read, while others keep working. The file is a ledger itself: \`gw ledger status FILE\` shows
    it, and \`gw ledger copy FILE\` restores it.`,
  examples: ['gw ledger backup ./ledger-backup.db', 'gw ledger backup ./today.db --from file'],
  args: { file: { description: 'Path of the new file.', required: true } },
  flags: {
    from: option({
      description: 'Ledger to back up: `file`, a path, or an address. Default: the one in use.',
      helpValue: '<ledger>',
    }),
    ...profileFlag,
  },

  async run(context, { args, flags }) {
    const { backUpLedger } = await import('../../setup/ledger/backup.ts');
    await backUpLedger(context, args.file, { from: flags.from, profile: flags.profile });
  },
});
