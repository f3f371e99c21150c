/**
 * The places of a run's lines that are still to be taken. A run alone takes them in their order. Where another gw is at
 * work on the same lines, a run leaves: it goes on at some place behind, and comes back later. Otherwise both would ask
 * for the same lines all the time. What one has done by then, the other passes over quickly.
 *
 * Tests: test/unit/requests/batch/engine/batch-run.test.ts
 */
import { randomInt } from 'node:crypto';

/** Places from one up to another, without that. */
export interface Stretch {
  from: number;
  to: number;
}

export class Stretches {
  /** The next one is the last. */
  readonly #left: Stretch[];

  constructor(lines: number) {
    this.#left = [{ from: 0, to: lines }];
  }

  /** @returns the next places, at most so many; without any, all are taken */
  take(most: number): Stretch {
    const next = this.#left.pop();
    if (!next) return { from: 0, to: 0 };
    const to = Math.min(next.to, next.from + most);
    this.#put({ from: to, to: next.to });
    return { from: next.from, to };
  }

  /**
   * @param here what was taken and is not started yet; `ahead` was taken after that
   * @param last no place behind this may be next
   * @param least how many places have to be left here, so that leaving is of use
   * @returns whether both are to be taken again, and other places are next
   */
  leave(here: Stretch, ahead: Stretch, last: number, least: number): boolean {
    let end = here.to;
    for (const next of [ahead, this.#left.at(-1)]) if (next?.from === end) end = next.to;
    const near = Math.min(end, last);
    if (near - here.from < least) return false;
    this.#put(ahead);
    this.#put(here);
    this.#left.pop();
    // A place by chance: several that leave one place hardly meet at the next.
    const at = randomInt(here.from + Math.floor(least / 2), near);
    this.#put({ from: near, to: end });
    this.#left.push({ from: here.from, to: at }, { from: at, to: near });
    return true;
  }

  #put(stretch: Stretch): void {
    const next = this.#left.at(-1);
    if (next?.from === stretch.to) next.from = stretch.from;
    else if (stretch.from < stretch.to) this.#left.push(stretch);
  }
}
