/** Opens the ledger of this user, for a process that can tell which others have ended. */
import type { Host } from '../host/host.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openLedger } from '../ledger/sqlite.ts';
import { ledgerPath } from './paths.ts';

/**
 * @param endOfTurn given where many requests are in flight: their writes share transactions
 * @throws Failure guard when it cannot be used
 */
export function openOwnLedger(
  { files, clock, processes }: Pick<Host, 'files' | 'clock' | 'processes'>,
  endOfTurn?: () => Promise<void>,
): Promise<Ledger> {
  const own = processes;
  const gone = new Map<string, boolean | undefined>();
  return openLedger(ledgerPath(files), clock, {
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
}
