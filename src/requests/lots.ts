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
const GO_ON = 'Run the same command again to go on.';

/**
 * Shows on a terminal how far the work is.
 * @param work `doing`: what is done, for example `erasing`; `total`: about how much there is to do; `stays`: a sentence about what is done if the user interrupts
 * @param lot does the next lot, and says how much that was; 0 if nothing was left
 * @throws Failure interrupted between two lots, unless all is done; what `lot` throws, with what stays of those before
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
        throw new Failure('interrupted', 'Interrupted.', `${stays} ${GO_ON}`);
      const isBegun = done > 0;
      const last = await lot().catch((error: unknown) => {
        if (!(error instanceof Failure && isBegun)) throw error;
        throw error.with({ next: `${error.next} ${stays} ${GO_ON}`.trim() });
      });
      if (last === 0) return;
      done += last;
      progress.show({ ...emptyTally(), done });
    }
  } finally {
    await progress.clear();
  }
}
