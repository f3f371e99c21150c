import { idArg } from '../../cli/args.ts';
import { GwCommand } from '../../cli/command.ts';
import { findEntry } from '../../cli/find-entry.ts';
import { printFlags } from '../../cli/global-flags.ts';
import { checkedId } from '../../cli/ids.ts';
import { entryRecord } from '../../cli/journal-record.ts';
import { openOwnLedger } from '../../cli/own-ledger.ts';
import { ENTRY_VIEW } from '../../cli/own-views.ts';
import { printRecords } from '../../cli/print-records.ts';

export default class JournalShow extends GwCommand {
  static override summary = 'Show one money request that was sent from here';
  static override description =
    'Shows the request as it was sent, its card number masked, and what became of it.';
  static override examples = [
    '<%= config.bin %> journal show $(<%= config.bin %> journal list --limit 1 -o id)',
    '<%= config.bin %> journal show $(<%= config.bin %> journal list --limit 1 -o id) -o json | jq .body',
  ];
  static override args = idArg('Id of an entry, or enough of its beginning to tell it.');
  static override flags = { ...printFlags };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(JournalShow);
    const id = checkedId(args.id);
    const ledger = await openOwnLedger(this.host);
    try {
      const entry = await findEntry(ledger, id);
      await printRecords(this.host, flags, [{ ...entryRecord(entry), body: entry.body }], {
        kind: ENTRY_VIEW,
        isSingle: true,
      });
    } finally {
      await ledger.close();
    }
  }
}
