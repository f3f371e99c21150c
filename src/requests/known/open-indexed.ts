/** The ledger of this user, after learning what is due. */

import { count } from '../../base/text.ts';
import { openOwnLedger } from '../../client/ledger/open.ts';
import { type LedgerChoice, type LedgerHost, ledgerPlace } from '../../client/ledger/place.ts';
import { Failure, orFailure } from '../../failure.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { readKept } from '../../journal/learn.ts';
import type { Ledger } from '../../journal/ledger.ts';
import { get } from '../../store/sql.ts';
import { StoredThings } from '../../things/stored-things.ts';
import { WithOwnEvents } from '../../things/with-own-events.ts';
import type { LotHost } from '../lots.ts';

/** Learning this many takes seconds. */
const MANY_DUE = 5_000;

/**
 * Opens the ledger for questions about things, and learns what is due. With a ledger on a server, queries
 * also cover the events that this machine received.
 * @throws Failure guard if it cannot be used; interrupted while it learns
 */
export async function openIndexedLedger(
  host: LedgerHost & LotHost,
  choice: LedgerChoice = {},
): Promise<Ledger> {
  const ledger = await openOwnLedger(host, choice);
  const due = await ledger.things.due();
  if (due > MANY_DUE)
    await host.stderr.write(`gw first adds ${count(due)} new entries to the index.\n`);
  if (due > 0) {
    const { learnInLots } = await import('./learn-due.ts');
    const failure = await orFailure(learnInLots(host, ledger.sql));
    if (failure instanceof Failure && failure.kind === 'interrupted') {
      await ledger.close();
      throw failure;
    }
    // A reader goes on with what is known.
    if (failure instanceof Failure)
      await host.stderr.write(
        `Note: gw could not index its newest entries. A search may not find them. ${neutralise(failure.message)}\n`,
      );
  }
  if ((await ledgerPlace(host, choice)).kind === 'server') {
    const { ownEvents } = await import('./own-events.ts');
    const own = await ownEvents(host);
    if (own) ledger.things = new WithOwnEvents(new StoredThings(ledger.sql, readKept), own);
  } else if (await ledger.sql.read(() => get('SELECT 1 AS one FROM gw.events LIMIT 1'))) {
    const { readSources } = await import('./learn-due.ts');
    ledger.things = new StoredThings(ledger.sql, readSources);
  }
  return ledger;
}
