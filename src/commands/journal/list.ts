import { Flags } from '@oclif/core';
import { GwCommand } from '../../dispatch/command.ts';
import { printFlags } from '../../flags/global-flags.ts';
import { parseInteger } from '../../flags/parse-integer.ts';
import { openOwnLedger } from '../../session/own-ledger.ts';
import { printRecords } from '../../view/print-records.ts';
import { entryRecord } from '../../view/records/journal-record.ts';
import { ENTRY_VIEW } from '../../view/records/own-views.ts';

export default class JournalList extends GwCommand {
  static override summary = 'List the money requests that were sent from here';
  static override description =
    'Every request that moves money is written down before it leaves, and its outcome after. An entry that ' +
    'is `sending` or `unknown` may or may not have happened: look it up before you send it again.';
  static override examples = [
    '<%= config.bin %> journal list',
    '<%= config.bin %> journal list --unresolved -o jsonl',
  ];
  static override flags = {
    unresolved: Flags.boolean({ description: 'Only those whose outcome is not known.' }),
    limit: Flags.string({
      description: 'Entries to show, newest first.',
      helpValue: '<integer>',
      default: '50',
    }),
    ...printFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(JournalList);
    const ledger = await openOwnLedger(this.host);
    try {
      const entries = await ledger.list({
        unresolved: flags.unresolved,
        limit: parseInteger('limit', flags.limit),
      });
      await printRecords(this.host, flags, entries.map(entryRecord), {
        kind: ENTRY_VIEW,
        isSingle: false,
      });
    } finally {
      await ledger.close();
    }
  }
}
