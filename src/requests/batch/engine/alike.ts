/**
 * Lines that fail alike: when the first ones of a run all fail for one reason, so will the others,
 * and it is not the lines that are at fault. Until that is known, no more than those are sent.
 */

import type { StopReason } from './stop.ts';

/** Lines that have to fail alike. */
const FIRST_LINES = 20;

export const LINES_FAIL_ALIKE: StopReason = {
  why: `the first ${FIRST_LINES} lines sent all failed for the same reason`,
  code: 'lines-fail-alike',
  next: 'Find out why before you run it again; to go on anyway, set --stop-after-failures to the number you accept.',
};

export class Alike {
  #lines = 0;
  #reason: string | undefined;
  #isOver = false;

  /** @param inFlight lines that are not answered yet. @returns whether it has to be known first how they end */
  mustWait(inFlight: number): boolean {
    return !this.#isOver && this.#lines + inFlight >= FIRST_LINES;
  }

  /**
   * Told of each line that was sent, as it is answered.
   * @param reason what it failed for, the same for lines that fail alike; undefined when it did not
   * @returns true once: when the first lines have all failed for one reason
   */
  add(reason: string | undefined): boolean {
    if (this.#isOver) return false;
    this.#reason ??= reason;
    if (reason === undefined || reason !== this.#reason) this.#isOver = true;
    else if (++this.#lines === FIRST_LINES) {
      this.#isOver = true;
      return true;
    }
    return false;
  }
}
