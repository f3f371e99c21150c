import { command } from '../cli/dispatch/command.ts';
import { option } from '../cli/flags/flag.ts';
import { ledgerOfFlag } from '../cli/flags/global-flags.ts';
import { parseTime, TIMES, timeZoneFlag } from '../cli/flags/parse-time.ts';
import { PRUNED, pruneKept } from '../desk/forget/prune-kept.ts';
import { timeZoneOf } from '../host/machine-zone.ts';

export default command({
  summary: 'Delete what gw keeps from before a given time',
  erases: true,
  description: `Deletes journal entries, received events and records that gw has not seen since. Entries
    with an unknown outcome, and events not passed on yet, stay.

    gw no longer recognises what it deleted. It sends a repeated request or line again, and
    counts an event that arrives again as new.

    In a shared ledger, only an owner can delete entries and records, and does so for
    everybody. Events belong to this machine.`,
  examples: ['gw prune --before 2y', 'gw prune --before 90d --only events'],
  flags: {
    before: option({
      description: `Delete everything from before this time: ${TIMES}.`,
      helpValue: '<time>',
      required: true,
    }),
    only: option({
      options: PRUNED,
      description: 'Delete only journal entries and records, or only received events.',
    }),
    ...timeZoneFlag,
    ...ledgerOfFlag,
  },

  async run(context, { flags }) {
    const { before: text, only } = flags;
    const now = context.host.clock.now();
    const before = parseTime('before', text, now, timeZoneOf(context.host, flags['time-zone']));
    await pruneKept(context, before, only ? [only] : PRUNED, { profile: flags.profile });
  },
});
