/** What `gw doctor --repair` mends: who may read what gw keeps, and the index of what gw knows. */

import { type LedgerChoice, ledgerPlace } from '../../client/ledger/place.ts';
import { Failure } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { ledgerPath } from '../../store/paths.ts';
import { compactFile } from '../../store/sqlite/inspect-file.ts';

/** Says on stderr what it did. What it could not do is found by the checks, which come next. */
export async function repair(
  { env, files, stderr }: Pick<Host, 'env' | 'files' | 'stderr'>,
  choice: LedgerChoice,
): Promise<void> {
  const { tightened } = files.keepPrivate();
  await stderr.write(
    tightened.length === 0
      ? 'All files were private already.\n'
      : `Made private: ${neutralise(tightened.join(', '))}.\n`,
  );
  if (await isShared({ env, files }, choice))
    await stderr.write('The shared ledger keeps its own index up to date: nothing to repair.\n');
  const journal = ledgerPath(files);
  if (files.size(journal) === 0) return;
  const { rebuildIndex } = await import('../../desk/query/rebuild-index.ts');
  try {
    rebuildIndex(journal);
    await stderr.write('Rebuilt the index of what gw knows.\n');
    compactFile(ledgerFile(journal));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await stderr.write(`The index of what gw knows could not be rebuilt. ${error.message}\n`);
  }
}

/** What is wrong with an address or a profile is found by the checks. */
async function isShared(
  sources: Pick<Host, 'env' | 'files'>,
  choice: LedgerChoice,
): Promise<boolean> {
  try {
    return (await ledgerPlace(sources, choice)).kind === 'server';
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
