import { command } from '../../cli/dispatch/command.ts';
import { requestOptions } from '../../cli/flags/command-options.ts';
import { option } from '../../cli/flags/flag.ts';
import { confirmFlag, interactionFlags, ledgerOfFlag } from '../../cli/flags/global-flags.ts';
import { parseTime, TIMES, timeZoneFlag } from '../../cli/flags/parse-time.ts';
import { timeZoneOf } from '../../host/machine-zone.ts';
import { PRUNED, pruneKept } from './run-prune.ts';

export default command({
  summary: 'Delete what gw keeps from before a given time',
  erases: true,
  description: `Deletes journal entries, received events, the log of what assistants asked, and records that gw
    has not seen since. Entries
    with an unknown outcome, and events not passed on yet, stay.

    gw no longer recognises what it deleted. It sends a repeated request or line again, even one
    with the same reference, and counts an event that arrives again as new. A deleted refund still
    counts in what is left of its purchase.

    Requests of the last 400 days are deleted only if you type the profile's name, or give it with
    --confirm. \`gw profile set NAME --keep 2y\` changes that time; if a machine has several
    profiles, the longest time counts.

    gw deletes the oldest first, some at a time. End it with Ctrl-C, and run the same command
    again to go on.

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
      description:
        'Delete only journal entries and records, only received events, or only calls of assistants.',
    }),
    ...timeZoneFlag,
    ...ledgerOfFlag,
    confirm: {
      ...confirmFlag.confirm,
      description: 'Confirm by the name of the profile if gw cannot ask.',
    },
    'no-input': interactionFlags['no-input'],
  },

  async run(context, { flags }) {
    const { before: text, only } = flags;
    const now = context.host.clock.now();
    const before = parseTime('before', text, now, timeZoneOf(context.host, flags['time-zone']));
    const request = requestOptions(context.host, flags);
    await pruneKept(context, { before, what: only ? [only] : PRUNED, request });
  },
});
