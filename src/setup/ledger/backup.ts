/** `gw ledger backup`: the file of this user, as it is at one moment. */
import { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { ledgerPath } from '../../store/paths.ts';
import { copyDatabase, makeBackup } from '../../store/sqlite/backup-file.ts';

/**
 * @param file that is to be; never one that is there
 * @throws Failure, with nothing written, when there is no ledger, or it cannot be read or written
 */
export async function backUpLedger(
  { host: { files, stderr } }: Context,
  file: string,
): Promise<void> {
  const path = ledgerPath(files);
  if (files.size(path) === 0)
    throw new Failure('notFound', `There is no ledger ${path}.`, {
      code: 'ledger-missing',
      next: 'There is nothing to back up yet: the first request that moves money creates it.',
    });
  await makeBackup(file, (partial) => copyDatabase(ledgerFile(path), partial));
  const bytes = files.size(file).toLocaleString('en');
  await stderr.write(`Copied ${path} to ${file} (${bytes} bytes).\n`);
}
