import { usage } from '../../failure.ts';

const MAX_TIMEOUT_S = 600;

/**
 * @param text value of `--timeout`
 * @returns milliseconds
 */
export function timeoutMsOf(text: string): number {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(seconds > 0 && seconds <= MAX_TIMEOUT_S)) {
    throw usage(
      'duration-invalid',
      `--timeout takes seconds, above 0 and at most ${MAX_TIMEOUT_S}, not ${JSON.stringify(text)}.`,
      'For example --timeout 90.',
    );
  }
  return seconds * 1000;
}
