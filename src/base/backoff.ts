export interface Backoff {
  firstMs: number;
  /** The pauses double up to this. */
  maxMs: number;
}

/**
 * Computes the pause before a retry. It doubles each time, and its upper half is random, so that many clients that
 * failed together do not return together.
 * @param repeat 0 for the first repetition
 * @param random returns 0 to 1
 * @returns milliseconds
 */
export function backoffMs(
  repeat: number,
  { firstMs, maxMs }: Backoff,
  random: () => number,
): number {
  // A larger power changes only the number's precision.
  const ceiling = Math.min(firstMs * 2 ** Math.min(repeat, 30), maxMs);
  return Math.round(ceiling / 2 + (ceiling / 2) * random());
}
