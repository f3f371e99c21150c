/** Opens the ledger for a list. */
import { scopeOf, type Whose } from '../../cli/flags/whose.ts';
import { type DataSource, dataSourceOf } from '../../client/ledger/data-source.ts';

import type { Ledger } from '../../journal/ledger.ts';
import { type KnownHost, openLedger } from '../../requests/known/open-ledger.ts';
import type { Owner } from '../../things/owner.ts';

export interface ListDesk {
  ledger: Ledger;
  /** The account whose rows are shown; undefined for all. */
  scope: Owner | undefined;
  source: DataSource;
}

/** @throws Failure guard if the ledger cannot be used */
export async function withLedger(
  host: KnownHost,
  us: Whose,
  work: (desk: ListDesk) => Promise<void>,
): Promise<void> {
  const ledger = await openLedger(host, { needs: 'learns', profile: us.profile });
  try {
    const scope = await scopeOf(host, us, ledger);
    await work({ ledger, scope, source: await dataSourceOf(host, us) });
  } finally {
    await ledger.close();
  }
}
