import { command } from '../../dispatch/command.ts';
import { ageFlag, ledgerOfFlag } from '../../flags/global-flags.ts';
import { instantOfAge, pruneKept } from '../../operations/prune-kept.ts';

export default command({
  summary: 'Forget old entries of the journal, and records not seen since',
  description: `Deleted entries are no longer recognised: gw sends a request that repeats a deleted
    one, and a batch sends deleted lines again. Entries whose outcome is not known are kept,
    whatever their age. In a ledger that is shared it is an owner who does this.`,
  examples: ['gw journal prune --older-than 2y', 'gw journal prune --older-than 90d'],
  flags: { ...ageFlag, ...ledgerOfFlag },

  run: (context, { flags }) =>
    pruneKept(context, instantOfAge(context, flags['older-than']), ['journal'], flags),
});
