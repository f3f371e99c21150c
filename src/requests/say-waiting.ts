/** Says that gw pauses its requests, so that nobody waits longer than a moment without knowing why. */
import { instantText } from '../base/text.ts';
import type { Clock } from '../host/host.ts';

/** The shortest wait that is announced. */
const FIRST_SAID_MS = 3_000;

/**
 * @param write writes the line to stderr
 * @returns a function to call with each wait in milliseconds. It announces a wait once, though many requests share it
 */
export function sayWaiting(
  clock: Pick<Clock, 'now'>,
  write: (text: string) => unknown,
): (ms: number) => void {
  let saidUntil = 0;
  return (ms) => {
    const until = clock.now().getTime() + ms;
    if (ms < FIRST_SAID_MS || until < saidUntil + FIRST_SAID_MS) return;
    saidUntil = until;
    write(
      `The gateway is busy or cannot be reached. gw tries again in ${Math.ceil(ms / 1000)} s, on ${instantOrNothing(until)}.\n`,
    );
  };
}

/** The last instant whose year has four digits. */
const LAST_MS = Date.UTC(9999, 11, 31);

/**
 * @param until milliseconds of the clock, of any size
 * @returns for example `2026-03-10 at 20:30:00 UTC`; undefined if it is beyond every date
 */
export function instantOrNothing(until: number): string | undefined {
  return until > LAST_MS ? undefined : instantText(new Date(until).toISOString());
}
