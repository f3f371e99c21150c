import { command } from '../../cli/dispatch/command.ts';
import { outputOptions } from '../../cli/flags/command-options.ts';
import { printFlags, profileFlag } from '../../cli/flags/global-flags.ts';

export default command({
  summary: 'Show where the ledger in use is, and what is in it',
  description: `Shows its path or address, the version of its server, its format, and the number of
    entries, records and events, and of requests whose outcome is unknown. Changes nothing.
    \`gw doctor\` looks at the server: the role, and what a crash may forget.`,
  examples: ['gw ledger status', 'gw ledger status file -o json'],
  args: {
    ledger: {
      description: 'Address, path, or `file` for the one on this machine. Default: the one in use.',
    },
  },
  flags: { ...profileFlag, ...printFlags },

  async run(context, { args, flags }) {
    const { showStatus } = await import('../../setup/ledger/status.ts');
    await showStatus(context, {
      ledger: args.ledger,
      profile: flags.profile,
      output: outputOptions(flags),
    });
  },
});
