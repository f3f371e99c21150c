import { command } from '../dispatch/command.ts';
import { option } from '../flags/flag.ts';
import { ledgerOfFlag } from '../flags/global-flags.ts';
import { parseTime, TIMES, timeZoneFlag, timeZoneOf } from '../flags/parse-time.ts';
import { instantOfAge, pruneKept } from '../operations/prune-kept.ts';

/** Longer than `parseTime` reads; a year is no exact time. */
const AGE = /^\d+[dwy]$/;

export default command({
  summary: 'Forget everything that was kept here before a time',
  description: `Applies one retention to all that gw keeps: entries of the journal, records not
    seen since, events that were received, and what the index has of them. What is forgotten is not
    recognised any more: a request that repeats a forgotten one is sent, a batch whose lines are
    forgotten sends them again, and an event that comes again is taken for a new one. Entries whose
    outcome is not known and events that wait to be passed on are kept, whatever their age.
    In a ledger that is shared it is an owner who does this, for everybody. \`gw journal prune\` and
    \`gw events prune\` do the same for one of them.`,
  examples: ['gw prune --before 2y', 'gw prune --before 2026-01-01 --time-zone UTC'],
  flags: {
    before: option({
      description: `Forget what is from before this time: ${TIMES}, 12w or 2y.`,
      helpValue: '<time>',
      required: true,
    }),
    ...timeZoneFlag,
    ...ledgerOfFlag,
  },

  async run(context, { flags }) {
    const { before: text } = flags;
    const before = AGE.test(text)
      ? instantOfAge(context, text)
      : parseTime('before', text, context.host.clock.now(), timeZoneOf(flags['time-zone']));
    await pruneKept(context, before, ['journal', 'events'], flags);
  },
});
