export interface Backoff {
  firstMs: number;
  /** The pauses double up to this. */
  maxMs: number;
}

/**
 * The pause before something is tried again: it doubles each time, and its upper half is random, so
 * that many who failed together do not come back together.
 * @param repeat from 0 for the first repetition
 * @param random 0 to 1
 * @returns milliseconds
 */
export function backoffMs(
  repeat: number,
  { firstMs, maxMs }: Backoff,
  random: () => number,
): number {
  // A power beyond this changes nothing but the number's precision.
  const ceiling = Math.min(firstMs * 2 ** Math.min(repeat, 30), maxMs);
  return Math.round(ceiling / 2 + (ceiling / 2) * random());
}
