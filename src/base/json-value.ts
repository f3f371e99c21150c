/** Parses JSON from others, detects whether its text contains more than its value, and has numbers as they were written. */
import { eachField, type Json } from './json.ts';

/** Parses JSON. Loads json-text.ts only to describe a fault. */
export async function checkedJson(text: string, whatItIs: string): Promise<Json> {
  const value = jsonIn(text);
  if (value !== undefined && !hasMoreNames(text, value)) return value;
  const { parseJson } = await import('./json-text.ts');
  return parseJson(text, whatItIs);
}

/**
 * @param value the parsed value, if the caller has it
 * @returns whether the text is JSON and an object repeats a field; `JSON.parse` keeps only the last
 */
export function repeatsField(text: string, value: Json | undefined = jsonIn(text)): boolean {
  return value !== undefined && hasMoreNames(text, value);
}

/** @returns undefined if the text is not JSON */
export function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** @returns whether the text has more names than its value has fields */
function hasMoreNames(text: string, whole: Json): boolean {
  let fields = 0;
  eachField(whole, () => fields++);
  return namesIn(text) > fields;
}

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const COLON = ':'.charCodeAt(0);

/** @returns how many names of fields a JSON text has, repeated ones included: each has a colon outside of texts */
export function namesIn(text: string): number {
  let names = 0;
  let isInside = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) isInside = !isInside;
    else if (code === BACKSLASH) i++;
    else if (code === COLON && !isInside) names++;
  }
  return names;
}

/**
 * A number that JSON.parse would change (`12345678901234567890`, `25.00`, `1e400`) is kept as it was written: as a text
 * of this mark and its digits. The mark is a code point that Unicode keeps free for the use inside of programs.
 */
export const MARK = '\ufdd0';
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?`;
const WRITTEN = new RegExp(`^${MARK}${NUMBER}$`);
/** A text that is a value, and not the name of a field. */
const MARKED = new RegExp(`"${MARK}(${NUMBER})"(?!:)`, 'g');

/** @param digits a number as JSON writes it */
export function writtenNumber(digits: string): string {
  return MARK + digits;
}

export function isWrittenNumber(value: unknown): boolean {
  return typeof value === 'string' && WRITTEN.test(value);
}

/** @returns a text of written numbers with their digits alone, also if some of them are masked */
export function withoutMark(text: string): string {
  return text.replaceAll(MARK, '');
}

/** @returns JSON in which written numbers are numbers again; a masked one is a text */
export function withNumbers(json: string): string {
  return json.includes(MARK) ? withoutMark(json.replace(MARKED, '$1')) : json;
}

/**
 * @param json a JSON text from outside
 * @returns the text in which U+FFFD is in place of each mark: only gw itself marks a number
 */
export function withoutForeignMarks(json: string): string {
  if (!/\ufdd0|\\ufdd0/i.test(json)) return json;
  return json.replace(/\ufdd0|\\(?:u[fF][dD]{2}0|[\s\S])/g, (found) =>
    found.length === 2 ? found : '\ufffd',
  );
}
