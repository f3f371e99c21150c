import { command } from '../../cli/dispatch/command.ts';
import { outputOptions } from '../../cli/flags/command-options.ts';
import { idsArg } from '../../cli/flags/flag.ts';
import { ledgerOfFlag, printFlags } from '../../cli/flags/global-flags.ts';
import { entryRecord } from '../../desk/query/entry-record.ts';
import { findEntry } from '../../journal/find-entry.ts';
import { openLedger } from '../../requests/known/open-ledger.ts';
import { readIds } from '../../requests/look-up/read-ids.ts';
import { openPrinter } from '../../view/print-records.ts';
import { ENTRY_VIEW } from '../../view/records/journal-entry.ts';

export default command({
  summary: 'Show money requests that were sent from here',
  description: `Shows the request as gw sent it, with the card number masked, and its outcome.`,
  prints: ENTRY_VIEW,
  examples: [
    'gw journal show $(gw journal list --limit 1 -o id)',
    'gw journal show $(gw journal list --limit 1 -o id) --jq .body',
  ],
  args: idsArg('Id of an entry, or enough of its first characters.'),
  takesMany: true,
  flags: { ...ledgerOfFlag, ...printFlags },

  async run(context, { argv, flags }) {
    const { host } = context;
    const isSingle = argv.length === 1 && argv[0] !== '-';
    const printer = openPrinter(host, outputOptions(flags), { kind: ENTRY_VIEW, isSingle });
    const ledger = await openLedger(host, { needs: 'sends', profile: flags.profile });
    try {
      for await (const id of readIds(host, argv)) {
        const entry = await findEntry(ledger, id);
        await printer.add({ ...(await entryRecord(ledger, entry)), body: entry.body });
      }
      await printer.end();
    } finally {
      await ledger.close();
    }
  },
});
