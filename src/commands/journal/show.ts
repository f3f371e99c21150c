import { checkedId } from '../../body/read-ids.ts';
import { command } from '../../dispatch/command.ts';
import { idArg } from '../../flags/flag.ts';
import { ledgerOfFlag, printFlags } from '../../flags/global-flags.ts';
import { findEntry } from '../../journal/find-entry.ts';
import { entryRecord } from '../../operations/entry-record.ts';
import { openOwnLedger } from '../../session/own-ledger.ts';
import { printRecords } from '../../view/print-records.ts';
import { ENTRY_VIEW } from '../../view/records/journal-entry.ts';

export default command({
  summary: 'Show one money request that was sent from here',
  description: `Shows the request as it was sent, its card number masked, and what became of it.`,
  examples: [
    'gw journal show $(gw journal list --limit 1 -o id)',
    'gw journal show $(gw journal list --limit 1 -o id) -o json | jq .body',
  ],
  args: idArg('Id of an entry, or enough of its beginning to tell it.'),
  flags: { ...ledgerOfFlag, ...printFlags },

  async run(context, { args, flags }) {
    const id = checkedId(args.id);
    const ledger = await openOwnLedger(context.host, flags);
    try {
      const entry = await findEntry(ledger, id);
      const record = { ...(await entryRecord(ledger, entry)), body: entry.body };
      await printRecords(context.host, flags, [record], {
        kind: ENTRY_VIEW,
        isSingle: true,
      });
    } finally {
      await ledger.close();
    }
  },
});
