/** Opens the ledger of this user, for a process that can tell which others have ended. */
import { Failure } from '../failure.ts';
import type { Host } from '../host/host.ts';
import type { Ledger } from '../journal/ledger.ts';
import { SightingsFile } from '../journal/sightings-file.ts';
import { openLedger } from '../journal/sqlite-ledger.ts';
import { ledgerPath, seenPath } from './paths.ts';

/**
 * Opens it, and takes in what look-ups have seen since it was last open.
 * @param endOfTurn given where many requests are in flight: their writes share transactions
 * @throws Failure guard when it cannot be used
 */
export async function openOwnLedger(
  { files, clock, processes }: Pick<Host, 'files' | 'clock' | 'processes'>,
  endOfTurn?: () => Promise<void>,
): Promise<Ledger> {
  const own = processes;
  const gone = new Map<string, boolean | undefined>();
  const ledger = await openLedger(ledgerPath(files), clock, {
    owners: {
      self: own.self,
      // Once gone, always gone; and a batch may ask about the same process for every line.
      isGone(owner) {
        if (gone.get(owner) !== true) gone.set(owner, own.isGone(owner));
        return gone.get(owner);
      },
    },
    ...(endOfTurn && { endOfTurn }),
  });
  await takeInSeen(ledger, new SightingsFile(files, seenPath(files)));
  return ledger;
}

/** A file that cannot be taken in stays; it stands in the way of no payment. */
async function takeInSeen(ledger: Ledger, sightingsFile: SightingsFile): Promise<void> {
  try {
    if (!sightingsFile.isEmpty) await ledger.remember(() => sightingsFile.take());
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}
