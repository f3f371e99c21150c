import { command } from '../../cli/dispatch/command.ts';
import { profileFlag } from '../../cli/flags/global-flags.ts';

export default command({
  summary: 'Make again what searches and reports use',
  description: `Makes the index of all records and requests again, from what was sent and seen. On a server, it also
    gives each entry the state that was said of it last, and only an owner may do it. \`gw doctor\` says if this
    is needed.

    It works in parts. If it is ended, the same command goes on, and so does every search.`,
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
