/**
 * Text on its way into and out of SQLite, without loss.
 *
 * SQLite's text ends at the first NUL, and half a surrogate pair has no UTF-8 form. A text with one
 * of them is stored as JSON behind a mark; so is a text that starts with the mark. The form of a
 * text is always the same, so equality in SQL is equality of texts.
 */

const MARK = '\u0001json:';
const MARK_CODE = MARK.charCodeAt(0);
const UNSAFE = /\0|\p{Surrogate}/u;
/** Whatever may be unsafe: to make that of `UNSAFE` ready takes milliseconds of a start. */
const SUSPECT = /[\0\ud800-\udfff]/;

/** What a column holds and what a statement takes. */
export type Value = string | number | null | Uint8Array;

export function toStored(value: Value): Value {
  if (typeof value !== 'string') return value;
  const isUnsafe = (SUSPECT.test(value) && UNSAFE.test(value)) || value.startsWith(MARK);
  return isUnsafe ? MARK + JSON.stringify(value) : value;
}

/** Files of older versions may have a text behind the mark that is no JSON; it is taken as it is. */
export function fromStored(text: string): string {
  // A file's texts are many and the mark is rare, and one character tells most of them from it.
  if (text.charCodeAt(0) !== MARK_CODE || !text.startsWith(MARK)) return text;
  try {
    const value: unknown = JSON.parse(text.slice(MARK.length));
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}
