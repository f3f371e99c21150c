import { command } from '../../dispatch/command.ts';
import { printFlags, profileFlag } from '../../flags/global-flags.ts';

export default command({
  summary: 'Show what the ledger is, what it has, and who is at it',
  description: `Of a ledger on a server: its version and form, its size, how long a question takes, how far the
    clocks are apart, and the operators who are sending just now. Of a file: its path and size. Both:
    entries, records and events, and the requests whose outcome is not known. Changes nothing.`,
  examples: ['gw ledger status', 'gw ledger status file -o json'],
  args: {
    ledger: {
      description: 'Address, path, or `file` for the one on this machine. Default: the one in use.',
    },
  },
  flags: { ...profileFlag, ...printFlags },

  async run(context, { args, flags }) {
    const { showStatus } = await import('../../team/status.ts');
    await showStatus(context, args.ledger, flags);
  },
});
