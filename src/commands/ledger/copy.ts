import { command } from '../../cli/dispatch/command.ts';
import { profileFlag } from '../../cli/flags/global-flags.ts';

export default command({
  summary: 'Copy a ledger into another one',
  description: `Copies entries and records into another ledger, by default the one in use,
    so that each operator's file can become part of the team's ledger. Nothing is sent or copied
    twice: what is already there stays, an entry without an outcome gets it, and an interrupted copy
    can simply be run again. Reports lines of a batch that were sent from both. Copy when nothing is
    being sent from the old ledger.`,
  examples: ['gw ledger copy file postgres://ledger.example/gw', 'gw ledger copy file ./copy.db'],
  args: {
    from: {
      description: 'Ledger to copy: `file` for the one on this machine, a path, or an address.',
      required: true,
    },
    to: { description: 'Ledger to copy into. Default: the one in use.' },
  },
  flags: { ...profileFlag },

  async run(context, { args, flags }) {
    const { copyLedger } = await import('../../setup/ledger/copy.ts');
    await copyLedger(context, { from: args.from, to: args.to, profile: flags.profile });
  },
});
