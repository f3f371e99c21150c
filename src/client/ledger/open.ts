/** Opens the ledger in use: this user's file, or a team's server. */
import { Failure, orFailure } from '../../failure.ts';
import type { Ledger } from '../../journal/ledger.ts';
import { SnapshotInbox } from '../../journal/snapshot-inbox.ts';
import { openLedger } from '../../journal/sqlite/sqlite-ledger.ts';
import { seenPath } from '../../store/paths.ts';
import { authorOf, type LedgerHost, ledgerPlace, type OpenLedgerOptions } from './place.ts';

/**
 * Opens the ledger. A file first takes in what look-ups saw since it was last open.
 * @throws Failure guard if it cannot be used
 */
export async function openOwnLedger(
  host: LedgerHost,
  options: OpenLedgerOptions = {},
): Promise<Ledger> {
  const place = await ledgerPlace(host, options);
  if (place.kind === 'file') return openFileLedger(host, place.path, options.endOfTurn);
  const { openServerLedger } = await import('./open-on-server.ts');
  return openServerLedger(host, place, options);
}

/** Opens this user's file, even if another ledger is in use. @throws what `openOwnLedger` throws */
export async function openFileLedger(
  host: LedgerHost,
  path: string,
  endOfTurn?: OpenLedgerOptions['endOfTurn'],
): Promise<Ledger> {
  const { files, clock, processes } = host;
  const gone = new Map<string, boolean | undefined>();
  const ledger = await openLedger(path, clock, {
    processes: {
      self: processes.self,
      // A process that is gone stays gone. A batch may ask about the same process for every line.
      isGone(name) {
        if (gone.get(name) !== true) gone.set(name, processes.isGone(name));
        return gone.get(name);
      },
    },
    author: authorOf(host),
    endOfTurn,
  });
  await takeInSeen(ledger, new SnapshotInbox(files, seenPath(files)));
  return ledger;
}

/** Records that cannot be taken in wait for the next run. They never block a payment. */
async function takeInSeen(ledger: Ledger, inbox: SnapshotInbox): Promise<void> {
  if (inbox.isEmpty) return;
  try {
    const seen = inbox.take();
    const failure = await orFailure(ledger.remember(seen));
    if (failure instanceof Failure) inbox.append(seen);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}
