import { command } from '../../dispatch/command.ts';
import { ageFlag } from '../../flags/global-flags.ts';
import { instantOfAge, pruneKept } from '../../operations/prune-kept.ts';

export default command({
  summary: 'Forget events that were received long ago',
  description: `Removes the events, with their bodies and headers, from this machine. One that comes again is
    then taken for a new one. Events that wait to be passed on are kept, whatever their age.`,
  examples: ['gw events prune --older-than 1y', 'gw events prune --older-than 90d'],
  flags: ageFlag,

  run: (context, { flags }) =>
    pruneKept(context, instantOfAge(context, flags['older-than']), ['events']),
});
