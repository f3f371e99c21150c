import { command } from '../../cli/dispatch/command.ts';
import { printFlags, profileFlag } from '../../cli/flags/global-flags.ts';

export default command({
  summary: 'Show the ledger in use, what is in it, and who is using it',
  description: `For a ledger on a server: its version and format, its size, how long it takes to
    answer, how far apart the clocks are, and who is sending at the moment. For a file: its path and
    size. For both: the number of entries, records and events, and of requests whose outcome is
    unknown. Changes nothing.`,
  examples: ['gw ledger status', 'gw ledger status file -o json'],
  args: {
    ledger: {
      description: 'Address, path, or `file` for the one on this machine. Default: the one in use.',
    },
  },
  flags: { ...profileFlag, ...printFlags },

  async run(context, { args, flags }) {
    const { showStatus } = await import('../../setup/ledger/status.ts');
    await showStatus(context, args.ledger, flags);
  },
});
