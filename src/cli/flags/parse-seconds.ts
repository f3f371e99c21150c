/** Reads seconds from flags. */
import { usage } from '../../failure.ts';

/**
 * @param text digits, with decimals or without
 * @param range the fewest and the most seconds; a millisecond at least, unless it says less
 * @returns milliseconds
 * @throws Failure usage unless the text is a number of seconds in the range
 */
export function parseSeconds(
  flag: string,
  text: string,
  { min = 0.001, max }: { min?: number; max: number },
): number {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (seconds >= min && seconds <= max) return Math.round(seconds * 1_000);
  throw usage(
    'duration-invalid',
    `--${flag} takes seconds from ${min} to ${max}, not ${JSON.stringify(text)}.`,
    `For example --${flag} 30.`,
  );
}
