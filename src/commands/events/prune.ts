import { command } from '../../dispatch/command.ts';
import { ageFlag, ledgerOfFlag } from '../../flags/global-flags.ts';
import { instantOfAge, pruneKept } from '../../operations/prune-kept.ts';

export default command({
  summary: 'Forget events that were received long ago',
  description: `Removes the events, with their bodies and headers. One that comes again is then taken for a
    new one. Events that wait to be passed on are kept, whatever their age. In a ledger that is
    shared it is an owner who does this.`,
  examples: ['gw events prune --older-than 1y', 'gw events prune --older-than 90d'],
  flags: { ...ageFlag, ...ledgerOfFlag },

  run: (context, { flags }) =>
    pruneKept(context, instantOfAge(context, flags['older-than']), ['events'], flags),
});
