import { command } from '../../dispatch/command.ts';
import { profileFlag } from '../../flags/global-flags.ts';

export default command({
  summary: 'Copy a ledger into another one',
  description: `Copies entries, records and events with what they wait for into another ledger, by default
    the one in use: so the file of each operator becomes part of the ledger of the team. Nothing is
    sent or copied twice: what is there already stays, an outcome is added to an entry that had none,
    and a copy that was ended is begun again. A line of a batch that was sent from both is said.
    Copy when nothing is being sent from the old one.`,
  examples: ['gw ledger copy file postgres://ledger.example/gw', 'gw ledger copy file ./copy.db'],
  args: {
    from: {
      description:
        'Ledger that is copied: `file` for the one on this machine, a path, or an address.',
      required: true,
    },
    to: { description: 'Ledger that it is copied into. Default: the one in use.' },
  },
  flags: { ...profileFlag },

  async run(context, { args, flags }) {
    const { copyLedger } = await import('../../team/copy.ts');
    await copyLedger(context, { from: args.from, to: args.to, profile: flags.profile });
  },
});
