import { command } from '../../cli/dispatch/command.ts';
import { toggle } from '../../cli/flags/flag.ts';
import { printFlags } from '../../cli/flags/global-flags.ts';
import {
  amountFlags,
  listLimitFlag,
  listOptions,
  ofProfileFlags,
  operatorFlag,
  outcomeFlagOf,
  referenceFlag,
  textArg,
  whenFlags,
} from '../../cli/flags/search-flags.ts';
import { ENTRY_STATES } from '../../journal/ledger.ts';
import { ENTRY_VIEW } from '../../view/records/journal-entry.ts';

export default command({
  summary: 'List the money requests that were sent from here',
  description: `gw records each money request before it sends it, and its outcome afterwards.

    An entry that is \`sending\` or \`unknown\` may or may not have happened. Find out with
    \`gw journal resolve\` before you send it again.

    Words and filters work as in \`gw find\`.`,
  prints: ENTRY_VIEW,
  examples: [
    'gw journal list',
    'gw journal list --unresolved -o jsonl',
    'gw journal list inv-10 --since 7d --amount 25.00',
  ],
  args: textArg,
  takesMany: true,
  flags: {
    unresolved: toggle({
      description: 'Only entries whose outcome is unknown.',
      exclusive: ['outcome'],
    }),
    ...outcomeFlagOf(ENTRY_STATES, 'entries in these states'),
    ...referenceFlag,
    ...amountFlags,
    ...whenFlags,
    ...ofProfileFlags,
    ...operatorFlag,
    ...listLimitFlag('Entries to show, newest first'),
    ...printFlags,
  },

  async run(context, { argv, flags }) {
    const { runJournalList } = await import('./run-list.ts');
    await runJournalList(context, argv, {
      ...listOptions(flags, ENTRY_STATES),
      isUnresolved: flags.unresolved ?? false,
    });
  },
});
