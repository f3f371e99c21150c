import type { Clock } from './host.ts';

/** The longest delay of a timer in Node; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** @returns the clock of the machine. */
export function createClock(): Clock {
  return { now: () => new Date(), sleep };
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (!(ms <= MAX_TIMER_MS)) throw new RangeError(`cannot sleep for ${ms} ms`);
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
