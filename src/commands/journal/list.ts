import { command } from '../../dispatch/command.ts';
import { option, toggle } from '../../flags/flag.ts';
import { printFlags } from '../../flags/global-flags.ts';
import { parseInteger } from '../../flags/parse-integer.ts';
import { entryRecord } from '../../operations/entry-record.ts';
import { openOwnLedger } from '../../session/own-ledger.ts';
import { printRecords } from '../../view/print-records.ts';
import { ENTRY_VIEW } from '../../view/records/journal-entry.ts';

export default command({
  summary: 'List the money requests that were sent from here',
  description: `Every request that moves money is written down before it leaves, and its outcome after. An
    entry that is \`sending\` or \`unknown\` may or may not have happened: look it up before you
    send it again.`,
  examples: ['gw journal list', 'gw journal list --unresolved -o jsonl'],
  flags: {
    unresolved: toggle({ description: 'Only those whose outcome is not known.' }),
    limit: option({
      description: 'Entries to show, newest first.',
      helpValue: '<integer>',
      default: '50',
    }),
    ...printFlags,
  },

  async run(context, { flags }) {
    const ledger = await openOwnLedger(context.host);
    try {
      const entries = await ledger.list({
        unresolved: flags.unresolved ?? false,
        limit: parseInteger('limit', flags.limit),
      });
      const records = await Promise.all(entries.map((entry) => entryRecord(ledger, entry)));
      await printRecords(context.host, flags, records, {
        kind: ENTRY_VIEW,
        isSingle: false,
      });
    } finally {
      await ledger.close();
    }
  },
});
