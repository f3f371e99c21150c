import { command } from '../../cli/dispatch/command.ts';
import { outputOptions } from '../../cli/flags/command-options.ts';
import { printFlags, profileFlag } from '../../cli/flags/global-flags.ts';
import { LEDGER_STATUS_VIEW } from './ledger-status.ts';

export default command({
  summary: 'Show where the ledger in use is, and what is in it',
  description: `Shows the path or address, the server's version, the format, and the numbers of
    entries, records, events and unknown outcomes. It changes no entry, but tells everybody if some
    are missing. \`gw doctor\` checks the server. \`gw ledger rebuild\` rebuilds the index that
    searches and reports use.`,
  prints: LEDGER_STATUS_VIEW,
  examples: ['gw ledger status', 'gw ledger status file -o json'],
  args: {
    ledger: {
      description: 'Address, path, or `file` for the one on this machine. Default: the one in use.',
    },
  },
  flags: { ...profileFlag, ...printFlags },

  async run(context, { args, flags }) {
    const { showStatus } = await import('./run-status.ts');
    await showStatus(context, {
      ledger: args.ledger,
      profile: flags.profile,
      output: outputOptions(flags),
    });
  },
});
