/** Phrases that say whose knowledge a text rests on: this machine's, or that of a team with a shared ledger. */
import { type LedgerChoice, type LedgerSources, ledgerPlace } from './place.ts';

export interface DataSource {
  /** Ends a sentence that begins with `what was`. Events belong to each machine, also in a team. */
  known: 'seen, sent and received on this machine' | typeof KNOWN_TO_TEAM;
  /** Ends a sentence about what is not known, after `what`. */
  unknown: 'this machine did not see, send or receive' | typeof UNKNOWN_TO_TEAM;
  /** Follows "seen" or "sent". */
  where: 'on this machine' | 'by the team';
  /** Follows "known". */
  to: 'on this machine' | 'to the team';
}

const KNOWN_TO_TEAM = 'seen and sent by the team, and received on this machine';
const UNKNOWN_TO_TEAM = 'the team did not see or send, and this machine did not receive';

const ALONE: DataSource = {
  known: 'seen, sent and received on this machine',
  unknown: 'this machine did not see, send or receive',
  where: 'on this machine',
  to: 'on this machine',
};
const SHARED: DataSource = {
  known: KNOWN_TO_TEAM,
  unknown: UNKNOWN_TO_TEAM,
  where: 'by the team',
  to: 'to the team',
};

/** @throws Failure usage if the address of a server is invalid */
export async function dataSourceOf(
  sources: LedgerSources,
  choice: LedgerChoice,
): Promise<DataSource> {
  return (await ledgerPlace(sources, choice)).kind === 'server' ? SHARED : ALONE;
}
