/** Says that nothing is asked of the gateway for a while: nobody is to wait for more than a moment unawares. */
import { instantText } from '../base/text.ts';
import type { Clock } from '../host/host.ts';

/** Shorter waits go unnoticed. */
const FIRST_SAID_MS = 3_000;

/**
 * @param write takes the line to stderr
 * @returns what is told of each wait, in milliseconds from now, and says each once: many wait for the same
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

/** The last instant that has a text of four digits for its year. */
const LAST_MS = Date.UTC(9999, 11, 31);

/**
 * @param until milliseconds of the clock, of any size
 * @returns for example `2026-03-10 at 20:30:00 UTC`; undefined for what is no date any more
 */
export function instantOrNothing(until: number): string | undefined {
  return until > LAST_MS ? undefined : instantText(new Date(until).toISOString());
}
