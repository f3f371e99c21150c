/** How much is kept of what a gateway says. */

/** UTF-16 units of a text. */
export const MAX_KEPT_TEXT = 2_000;
/** UTF-16 units of a record as JSON. */
export const MAX_KEPT_RECORD = 64 * 1024;

/** @returns a text that tells one thing from others; null when it is none, or so long that only a part could be kept */
export function keptId(value: unknown): string | null {
  return typeof value === 'string' && value.length <= MAX_KEPT_TEXT ? value : null;
}
