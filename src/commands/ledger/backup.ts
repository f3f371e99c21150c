import { command } from '../../cli/dispatch/command.ts';

export default command({
  summary: "Back up this machine's ledger to a file",
  description: `Writes the file that holds the journal, records and events of this machine, as it is at
    one moment, to a new file that only you can read, while gw keeps working. To restore it, put it in
    the place of the old file: \`gw ledger status file\` shows where that is. A ledger on a server is
    backed up with pg_dump.`,
  examples: ['gw ledger backup ./ledger-backup.db', 'gw ledger backup ~/ledger-2026-03.db'],
  args: { file: { description: 'Path of the new file.', required: true } },
  flags: {},

  async run(context, { args }) {
    const { backUpLedger } = await import('../../setup/ledger/backup.ts');
    await backUpLedger(context, args.file);
  },
});
