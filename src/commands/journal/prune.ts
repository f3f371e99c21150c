import { command } from '../../cli/dispatch/command.ts';
import { ageFlag, ledgerOfFlag } from '../../cli/flags/global-flags.ts';
import { instantOfAge, pruneKept } from '../../desk/forget/prune-kept.ts';

export default command({
  summary: 'Delete old journal entries, and records not seen since',
  description: `Deleted entries are no longer recognised: gw sends a request that repeats a deleted
    one, and a batch sends deleted lines again. Entries whose outcome is unknown are kept, whatever
    their age. In a shared ledger, only an owner can do this.`,
  examples: ['gw journal prune --older-than 2y', 'gw journal prune --older-than 90d'],
  flags: { ...ageFlag, ...ledgerOfFlag },

  run: (context, { flags }) =>
    pruneKept(context, instantOfAge(context, flags['older-than']), ['journal'], {
      profile: flags.profile,
    }),
});
