/** Limits on what gw stores of a gateway's answer. */

/** UTF-16 units of one text. */
export const MAX_KEPT_TEXT = 2_000;
/** UTF-16 units of a record as JSON. */
export const MAX_KEPT_RECORD = 64 * 1024;

/** @returns the value if it is a text that fits; null if it is not, because a truncated id identifies nothing */
export function keptId(value: unknown): string | null {
  return typeof value === 'string' && value.length <= MAX_KEPT_TEXT ? value : null;
}
