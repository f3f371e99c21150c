/** Parses JSON from others, and detects whether its text contains more than its value. */
import type { Json } from './json.ts';

/**
 * A JSON string with the colon after it, if it is a name. An unterminated string is matched whole, so it is scanned
 * only once.
 */
const TEXT = /"[^"\\]*(?:\\[\s\S][^"\\]*)*\\?"?(?:\s*:)?/g;

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
  const left = [whole];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) fields += Object.keys(value).length;
    for (const inner of Object.values(value)) left.push(inner);
  }
  return namesIn(text) > fields;
}

/** @returns how many names of fields a JSON text has, repeated ones included */
export function namesIn(text: string): number {
  let names = 0;
  for (const one of text.match(TEXT) ?? []) if (one.endsWith(':')) names++;
  return names;
}
