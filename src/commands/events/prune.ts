import { command } from '../../cli/dispatch/command.ts';
import { ageFlag } from '../../cli/flags/global-flags.ts';
import { instantOfAge, pruneKept } from '../../desk/forget/prune-kept.ts';

export default command({
  summary: 'Delete old received events',
  description: `Deletes the events with their bodies and headers. If one of them arrives again, it
    counts as new. Events that are waiting to be passed on are kept, whatever their age. They are
    this machine's own, also where a team shares a ledger.`,
  examples: ['gw events prune --older-than 1y', 'gw events prune --older-than 90d'],
  flags: { ...ageFlag },

  run: (context, { flags }) =>
    pruneKept(context, instantOfAge(context, flags['older-than']), ['events']),
});
