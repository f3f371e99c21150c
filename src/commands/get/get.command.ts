import { command } from '../../cli/dispatch/command.ts';
import { commandOptions } from '../../cli/flags/command-options.ts';
import { idsArg, toggle } from '../../cli/flags/flag.ts';
import { lookUpFlags } from '../../cli/flags/global-flags.ts';
import { purchaseGet } from '../../contract/resources/purchase.ts';

export default command({
  summary: 'Look up any record by id, reference, email, name or token',
  description: `Takes any id, reference, email, name or card token, or the id of a journal entry. A name needs no quotes: \`gw get maria silva\`.

    gw tells the kind by the shape of an id. Otherwise it uses what the ledger knows, and
    then asks the gateway by reference.

    One record is shown with its card, its subscriptions and what was paid; several are rows of a table. In a pipe, the
    row is printed, and the rest as a message.

    If several records have the name, gw lists them and exits with 2. If it learnt of them by asking
    the gateway, it exits with 4. If none has it, gw lists those that have it in part, or with one
    wrong letter: a person picks one, and a script gets the list and exit code 2. The only one is shown in words where no
    format is named, but nobody else for an email.`,
  examples: [
    'gw get 071-P-IE49OSAF --profile local',
    'gw get INV-1000 --profile local --follow -o table',
    'gw get 071-P-IE49OSAF 071-R-D8ADU69P 071-PL-O4ACS24K --profile local -o jsonl',
  ],
  args: idsArg('Id, reference, email, name or token.'),
  takesMany: true,
  flags: {
    follow: toggle({
      description:
        'Also look up the records that it is tied to. With json and jsonl: an object with kind, record, known and tied. `known` has the facts of the panel: what was paid, refunded and is left, the next dates, the card.',
      exclusive: ['raw'],
    }),
    ...lookUpFlags,
  },
  async run(context, { argv, flags }) {
    const { runGet } = await import('../../requests/look-up/get-many.ts');
    const { anything } = await import('./run-get.ts');
    const options = commandOptions(context.host, flags);
    const manner = anything(context.host, { ...options, follows: flags.follow ?? false });
    try {
      const ids = await manner.idsIn(argv);
      await runGet(context, { operation: purchaseGet, manner, ids }, options);
    } finally {
      await manner.close();
    }
  },
});
