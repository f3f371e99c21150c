import { checkedId } from '../../body/read-ids.ts';
import { GwCommand } from '../../dispatch/command.ts';
import { idArg } from '../../flags/args.ts';
import { printFlags } from '../../flags/global-flags.ts';
import { findEntry } from '../../journal/find-entry.ts';
import { openOwnLedger } from '../../session/own-ledger.ts';
import { printRecords } from '../../view/print-records.ts';
import { entryRecord } from '../../view/records/journal-record.ts';
import { ENTRY_VIEW } from '../../view/records/own-views.ts';

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
