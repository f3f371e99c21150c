/**
 * Long work on a ledger, in lots. Each is a transaction, and stays if the work ends before the next one. Between two lots
 * the program hears signals.
 */
import { Failure } from '../failure.ts';
import type { Host } from '../host/host.ts';
import { emptyTally } from './batch/engine/batch.ts';
import { Progress } from './batch/engine/progress.ts';

export type LotHost = Pick<Host, 'clock' | 'endOfTurn' | 'interrupted' | 'stderr'>;

/** This much takes a second or more. */
const LONG = 200;

/**
 * Shows on a terminal how far the work is.
 * @param work `doing`: what is done, for example `erasing`; `total`: about how much there is to do; `stays`: a sentence about what is done if the user interrupts
 * @param lot does the next lot, and says how much that was; 0 if nothing was left
 * @throws Failure interrupted between two lots, unless all is done; what `lot` throws
 */
export async function inLots(
  { clock, endOfTurn, interrupted, stderr }: LotHost,
  { doing, total, stays }: { doing: string; total: number; stays: string },
  lot: () => Promise<number>,
): Promise<void> {
  const progress = new Progress(stderr, clock, () => doing);
  progress.begin(total, total >= LONG);
  try {
    for (let done = 0; ; ) {
      await endOfTurn();
      if (interrupted.aborted && done < total)
        throw new Failure(
          'interrupted',
          'Interrupted.',
          `${stays} Run the same command again to go on.`,
        );
      const last = await lot();
      if (last === 0) return;
      done += last;
      progress.show({ ...emptyTally(), done });
    }
  } finally {
    await progress.clear();
  }
}
