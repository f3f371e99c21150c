/** The ledger of this user with an index of all that is in it. */

import { openOwnLedger } from '../../client/ledger/open.ts';
import type { LedgerChoice, LedgerHost } from '../../client/ledger/place.ts';
import type { Ledger } from '../../journal/ledger.ts';
import { ledgerPath } from '../../store/paths.ts';

/** So many take seconds. */
const MANY_DUE = 5_000;

/**
 * Opens the ledger for whoever asks its index, which then has what was left for
 * later, and the requests without an outcome too.
 * @throws Failure guard when it cannot be used
 */
export async function openIndexedLedger(
  host: LedgerHost,
  choice: LedgerChoice = {},
): Promise<Ledger> {
  const ledger = await openOwnLedger(host, choice);
  const due = await ledger.documents.due();
  if (due > MANY_DUE)
    await host.stderr.write(
      `gw first adds ${due.toLocaleString('en')} new entries to the index.\n`,
    );
  if (due > 0) {
    const { indexAllDue } = await import('./index-deferred.ts');
    indexAllDue(ledgerPath(host.files));
  }
  await ledger.indexUnresolved();
  return ledger;
}
