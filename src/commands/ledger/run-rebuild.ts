/** `gw ledger rebuild`: makes again what a ledger derives from what was sent and seen. */

import { openLedgerAt } from '../../client/ledger/open.ts';
import { learnInLots, restartLearning } from '../../requests/known/learn-due.ts';
import type { KnownHost } from '../../requests/known/open-ledger.ts';
import { runSql } from '../../store/sql.ts';
import { labelOfPlace, namedLedger, noLedger } from './named-ledger.ts';

/** Gives each entry the state that was said of it last (docs/schema.sql). */
const RESTATE = `
  UPDATE gw.money_requests AS entry
     SET state = said.state, settled_at = said.settled_at, status = said.status, record_id = said.record_id,
         transaction_date = said.transaction_date, response_code = said.response_code, superseded = said.superseded
    FROM gw.restated AS said WHERE said.id = entry.id`;

/**
 * @param named a ledger, and @param profile a profile, as `namedLedger` takes them
 * @throws Failure if the ledger cannot be used, or its role may not do it; interrupted between two parts
 */
export async function rebuildLedger(
  host: KnownHost,
  named: string | undefined,
  profile: string | undefined,
): Promise<void> {
  const place = await namedLedger(host, named, profile);
  if (place.kind === 'file' && host.files.size(place.path) === 0) throw noLedger(place.path);
  const ledger = await openLedgerAt(host, place);
  const label = labelOfPlace(place);
  try {
    if (place.kind === 'server') await ledger.sql.write(() => runSql(RESTATE));
    if (!(await ledger.sql.write(restartLearning)))
      await host.stderr.write(`Going on with the index of the ledger at ${label}.\n`);
    await learnInLots(host, ledger.sql);
    await host.stderr.write(`Made the index of the ledger at ${label} again.\n`);
  } finally {
    await ledger.close();
  }
}
