import { command } from '../../cli/dispatch/command.ts';
import { profileFlag } from '../../cli/flags/global-flags.ts';

export default command({
  summary: 'Rebuild the index that searches and reports use',
  description: `Makes the index of all records and requests again, from what was sent and seen. On a
    server, it also gives each entry the state of its last outcome, and only an owner may run it.
    \`gw doctor\` says if this is needed.

    It works in parts. If you end it, the same command continues, and so does every search.`,
  examples: ['gw ledger rebuild', 'gw ledger rebuild file'],
  args: {
    ledger: {
      description: 'Address, path, or `file` for the one on this machine. Default: the one in use.',
    },
  },
  flags: { ...profileFlag },

  async run(context, { args, flags }) {
    const { rebuildLedger } = await import('./run-rebuild.ts');
    await rebuildLedger(context.host, args.ledger, flags.profile);
  },
});
