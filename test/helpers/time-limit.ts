/** Time limits that are reached when a test says so: on a busy machine a short one is reached too early. */
import { onTestFinished, vi } from 'vitest';

/**
 * Takes the place of `AbortSignal.timeout` until the test is over.
 * @returns what makes the time limits be reached, and those that are set later soon after
 */
export function timeLimitOnDemand(): () => void {
  const limits = new Set<AbortController>();
  let isReached = false;
  const reachAll = () => {
    for (const limit of limits) limit.abort(new DOMException('It took too long', 'TimeoutError'));
    limits.clear();
  };
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const limit = new AbortController();
    limits.add(limit);
    if (isReached) void turnsOfTheLoop().then(reachAll);
    return limit.signal;
  });
  onTestFinished(() => timeout.mockRestore());
  return () => {
    isReached = true;
    reachAll();
  };
}

/** Lets everything that is under way between sockets of this process arrive, and act on it. */
export async function turnsOfTheLoop(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
}
