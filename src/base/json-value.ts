/** The value of JSON that others wrote, and whether its text has more than that. */
import type { Json } from './json.ts';

/** A text of JSON, and the colon behind it where it is a name; one that does not end is taken whole, and once. */
const TEXT = /"[^"\\]*(?:\\[\s\S][^"\\]*)*\\?"?(?:\s*:)?/g;

/** Parses JSON, and loads json-text.ts only to say what is wrong with a text that has a fault. */
export async function checkedJson(text: string, whatItIs: string): Promise<Json> {
  const value = jsonIn(text);
  if (value !== undefined && !hasMoreNames(text, value)) return value;
  const { parseJson } = await import('./json-text.ts');
  return parseJson(text, whatItIs);
}

/**
 * @param value of the text, for whoever has it
 * @returns whether a text is JSON in which an object names a field twice, of which `JSON.parse` keeps the last
 */
export function repeatsField(text: string, value: Json | undefined = jsonIn(text)): boolean {
  return value !== undefined && hasMoreNames(text, value);
}

/** @returns undefined for what is no JSON */
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
  let names = 0;
  for (const one of text.match(TEXT) ?? []) if (one.endsWith(':')) names++;
  return names > fields;
}
