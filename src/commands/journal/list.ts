import { command } from '../../dispatch/command.ts';
import {
  amountFlags,
  ofProfileFlag,
  operatorFlag,
  textArg,
  whenFlags,
} from '../../flags/fact-flags.ts';
import { option, toggle } from '../../flags/flag.ts';
import { printFlags } from '../../flags/global-flags.ts';
import { ENTRY_STATES } from '../../journal/ledger.ts';

export default command({
  summary: 'List the money requests that were sent from here',
  description: `Every request that moves money is written down before it leaves, and its outcome after. An
    entry that is \`sending\` or \`unknown\` may or may not have happened: look it up before you
    send it again. Words and filters are those of \`gw find\`.`,
  examples: [
    'gw journal list',
    'gw journal list --unresolved -o jsonl',
    'gw journal list inv-10 --since 7d --amount 25.00',
  ],
  args: textArg,
  takesMany: true,
  flags: {
    unresolved: toggle({
      description: 'Only those whose outcome is not known.',
      exclusive: ['outcome'],
    }),
    outcome: option({
      options: ENTRY_STATES,
      description: 'Only entries of this state.',
      helpGroup: 'FILTER',
    }),
    ...amountFlags,
    ...whenFlags,
    ...ofProfileFlag,
    ...operatorFlag,
    limit: option({
      description: 'Entries to show, newest first.',
      helpValue: '<integer>',
      default: '50',
    }),
    ...printFlags,
  },

  async run(context, { argv, flags }) {
    const { runJournalList } = await import('../../operations/run-journal-list.ts');
    await runJournalList(context, argv, flags);
  },
});
