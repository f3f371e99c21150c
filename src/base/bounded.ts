/** What others send, held to a size before it is kept. */
import { isObject, type Json, type JsonObject } from './json.ts';

/** More than a card number with what stands between its digits, or in their place. */
const MAX_CARD_NUMBER_LENGTH = 200;
/** More than stands between two of its digits. */
const MAX_GAP_LENGTH = 30;
const MAX_DEPTH = 50;

/** @param max UTF-16 units @returns the text, or its beginning with an ellipsis */
export function boundedText(text: string, max: number): string {
  if (text.length <= max) return text;
  const start = text.slice(0, wholeNumbersIn(text, max));
  // A copy, since V8 keeps all of a text for a part of it.
  return `${Buffer.from(start, 'utf16le').toString('utf16le')}…`;
}

/** A card number that is cut in two is not recognised any more. @returns a place before `max` that halves none */
function wholeNumbersIn(text: string, max: number): number {
  let end = max;
  const least = Math.max(0, max - MAX_CARD_NUMBER_LENGTH);
  for (let at = max - 1; at >= least && end - at <= MAX_GAP_LENGTH; at--)
    if (/\p{N}/u.test(String.fromCodePoint(text.codePointAt(at)!))) end = at;
  return end;
}

/** @returns the value, in which each text has at most `max` UTF-16 units; itself where nothing is longer */
export function boundedJson(value: Json, max: number, depth = 0): Json {
  if (typeof value === 'string') return boundedText(value, max);
  if (value === null || typeof value !== 'object' || depth === MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => boundedJson(item, max, depth + 1));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  const entries = Object.entries(value).map(
    ([name, inner]) => [name, boundedJson(inner, max, depth + 1)] as const,
  );
  return entries.some(([name, inner]) => inner !== value[name])
    ? Object.fromEntries(entries)
    : value;
}

/** @returns the record with texts of at most `maxText` units, without the fields that make its JSON longer than `max` */
export function boundedRecord(record: JsonObject, maxText: number, max: number): JsonObject {
  const bounded = boundedJson(record, maxText);
  let left = max;
  const entries = Object.entries(isObject(bounded) ? bounded : {}).filter(([name, value]) => {
    const size = name.length + lengthOf(value);
    if (size > left) return false;
    left -= size;
    return true;
  });
  return Object.fromEntries(entries);
}

/** @returns the length of a value as JSON; without end for one that is nested too deeply to tell */
function lengthOf(value: Json): number {
  try {
    return JSON.stringify(value).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
