/** How texts name whose knowledge something rests on: of this machine, or of a team that shares a ledger. */
import { type LedgerChoice, type LedgerSources, ledgerPlace } from './place.ts';

export interface DataSource {
  /** Who saw, sent and received it. */
  who: 'this machine' | 'the team';
  /** After what was seen, sent or received. */
  where: 'on this machine' | 'by the team';
  /** After what is known. */
  to: 'on this machine' | 'to the team';
}

const ALONE: DataSource = { who: 'this machine', where: 'on this machine', to: 'on this machine' };
const SHARED: DataSource = { who: 'the team', where: 'by the team', to: 'to the team' };

/** @throws Failure usage when the address of a server is none */
export async function dataSourceOf(
  sources: LedgerSources,
  choice: LedgerChoice,
): Promise<DataSource> {
  return (await ledgerPlace(sources, choice)).kind === 'server' ? SHARED : ALONE;
}
