/** The ledger of this user with an index of all that is in it. */

import { openOwnLedger } from '../../client/ledger/open.ts';
import { type LedgerChoice, type LedgerHost, ledgerPlace } from '../../client/ledger/place.ts';
import { WithOwnEvents } from '../../index/with-own-events.ts';
import type { Ledger } from '../../journal/ledger.ts';
import { ledgerPath } from '../../store/paths.ts';

/** So many take seconds. */
const MANY_DUE = 5_000;

/**
 * Opens the ledger for whoever asks its index, which then has what was left for
 * later, and the requests without an outcome too. One
 * that an older gw wrote has no whole index, and is given one first. Beside a ledger on a server the events that
 * this machine received are asked as well.
 * @throws Failure guard when it cannot be used
 */
export async function openIndexedLedger(
  host: LedgerHost,
  choice: LedgerChoice = {},
): Promise<Ledger> {
  const ledger = await openOwnLedger(host, choice);
  if ((await ledgerPlace(host, choice)).kind === 'server') {
    const { ownEvents } = await import('./own-events.ts');
    const own = ownEvents(host);
    if (own) ledger.documents = new WithOwnEvents(ledger.documents, own);
    await ledger.indexUnresolved();
    return ledger;
  }
  if (await ledger.documents.isWhole()) {
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
  await host.stderr.write('gw first builds the index, once, from everything kept so far.\n');
  const { rebuildIndex } = await import('./rebuild-index.ts');
  rebuildIndex(ledgerPath(host.files));
  return ledger;
}
