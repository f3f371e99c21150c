/**
 * Converts text for SQLite and back, without loss.
 *
 * SQLite's text ends at the first NUL, and half a surrogate pair has no UTF-8 form. A text with either is stored as
 * JSON after a mark. So is a text that starts with the mark. Each text has exactly one stored form, so equality in SQL
 * is equality of texts.
 */

const MARK = '\u0001json:';
const MARK_CODE = MARK.charCodeAt(0);

/** A column's value, or a statement's. */
export type Value = string | number | null | Uint8Array;

export function toStored(value: Value): Value {
  if (typeof value !== 'string') return value;
  const isUnsafe = !value.isWellFormed() || value.includes('\0') || value.startsWith(MARK);
  return isUnsafe ? MARK + JSON.stringify(value) : value;
}

/** A text after the mark that is not JSON is returned unchanged. */
export function fromStored(text: string): string {
  // A file has many texts and the mark is rare. One character tells most texts from it.
  if (text.charCodeAt(0) !== MARK_CODE || !text.startsWith(MARK)) return text;
  try {
    const value: unknown = JSON.parse(text.slice(MARK.length));
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}
