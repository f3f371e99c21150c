import { count } from '../../base/text.ts';
import { command } from '../../cli/dispatch/command.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { ledgerPath } from '../../store/paths.ts';
import { copyDatabase, makeBackup } from '../../store/sqlite/backup-file.ts';

export default command({
  summary: "Back up this machine's ledger to a file",
  description: `Writes journal, records and events of this machine to a new file that only you can read.
    gw can keep working meanwhile.

    To restore, put that file in the place of the old one, which \`gw ledger status file\`
    shows. Use pg_dump for a ledger on a server.`,
  examples: ['gw ledger backup ./ledger-backup.db', 'gw ledger backup ~/ledger-2026-03.db'],
  args: { file: { description: 'Path of the new file.', required: true } },
  flags: {},

  run: (context, { args }) => backUpLedger(context, args.file),
});

/**
 * @param file the new file; an existing one is never overwritten
 * @throws Failure, with nothing written, if there is no ledger, or it cannot be read or written
 */
async function backUpLedger({ host: { files, stderr } }: Context, file: string): Promise<void> {
  const path = ledgerPath(files);
  if (files.size(path) === 0)
    throw new Failure('notFound', `There is no ledger ${path}.`, {
      code: 'ledger-missing',
      next: 'There is nothing to back up yet: the first request that moves money creates it.',
    });
  await makeBackup(file, (partial) => copyDatabase(ledgerFile(path), partial));
  const bytes = count(files.size(file));
  await stderr.write(`Copied ${path} to ${file} (${bytes} bytes).\n`);
}
