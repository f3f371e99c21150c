/** Opens the ledger at a place: this user's file, or a team's server. */
import { Failure, orFailure } from '../../failure.ts';
import type { Ledger } from '../../journal/ledger.ts';
import { openSqliteLedger } from '../../journal/sqlite/sqlite-ledger.ts';
import { seenPath } from '../../store/paths.ts';
import { authorOf, type LedgerHost, type LedgerOptions, type LedgerPlace } from './place.ts';
import { SnapshotInbox } from './snapshot-inbox.ts';

/**
 * Opens a ledger, and makes its file if there is none. A file first takes in what look-ups saw since it was last open. A
 * command opens its ledger by `openLedger` (requests/known/open-ledger.ts), which chooses the place.
 * @throws Failure guard if it cannot be used
 */
export async function openLedgerAt(
  host: LedgerHost,
  place: LedgerPlace,
  options: LedgerOptions = {},
): Promise<Ledger> {
  if (place.kind === 'server') {
    const { openServerLedger } = await import('./open-on-server.ts');
    return openServerLedger(host, place, options);
  }
  const { files, clock, processes } = host;
  const gone = new Map<string, boolean | undefined>();
  const ledger = await openSqliteLedger(place.path, clock, {
    processes: {
      self: processes.self,
      // A process that is gone stays gone. A batch may ask about the same process for every line.
      isGone(name) {
        if (gone.get(name) !== true) gone.set(name, processes.isGone(name));
        return gone.get(name);
      },
    },
    author: authorOf(host),
    endOfTurn: options.endOfTurn,
    readSources: options.readSources,
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
