/** Time limits that are reached when a test says so: on a busy machine a short one is reached too early. */
import { onTestFinished, vi } from 'vitest';

/** Nothing else that a test waits for takes as long as the time limit of a request (exchange.ts). */
const SHORTEST_LIMIT_MS = 30_000;

/**
 * Takes the place of long timers until the test is over.
 * @returns what makes the time limits be reached, and those that are set later soon after
 */
export function timeLimitOnDemand(): () => void {
  const limits = new Map<unknown, () => void>();
  let isReached = false;
  const reachAll = () => {
    for (const reach of limits.values()) reach();
    limits.clear();
  };
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  const timers = [
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
      act: () => void,
      ms: number,
      ...rest: []
    ) => {
      const timer = start(act, ms, ...rest);
      if (ms < SHORTEST_LIMIT_MS) return timer;
      limits.set(timer, act);
      if (isReached) void turnsOfTheLoop().then(reachAll);
      return timer;
    }) as typeof setTimeout),
    vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
      limits.delete(timer);
      stop(timer);
    }),
  ];
  onTestFinished(() => {
    for (const timer of timers) timer.mockRestore();
  });
  return () => {
    isReached = true;
    reachAll();
  };
}

/** Lets everything that is under way between sockets of this process arrive, and act on it. */
export async function turnsOfTheLoop(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
}
