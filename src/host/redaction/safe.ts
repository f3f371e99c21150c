/**
 * Text from the network or from a user, made safe to show.
 *
 * A terminal obeys control characters, and bidirectional controls make text read as something it is
 * not. Both forms below write each of them as the JSON escape of the character (`\n`, `\u001b`), so
 * that what is hidden is seen and nothing is obeyed. In JSON that escape is lossless. In plain text
 * it is not, since a backslash stays as it is: whoever needs the exact text asks for JSON.
 */

/** Controls (C0, DEL, C1), lone surrogates, line and paragraph separators, bidirectional controls. */
const UNSAFE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** The same but for C0, which JSON has as white space between its tokens and nowhere else. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** @returns the text on one line, with nothing in it that a terminal obeys. */
export function neutralise(text: string): string {
  return text.replace(UNSAFE, (character) => SHORT_ESCAPES[character] ?? escapeUnit(character));
}

/** @returns the same for a text of several lines, whose line ends stay. */
export function neutraliseLines(text: string): string {
  return text.split('\n').map(neutralise).join('\n');
}

/** @returns JSON text that parses to the same value and that a terminal can show. */
export function safeJsonText(json: string): string {
  return json.replace(UNSAFE_IN_JSON, escapeUnit);
}

/**
 * @param indent spaces per level; none gives one line
 * @returns the value as JSON that a terminal can show
 */
export function toJson(value: unknown, indent?: number): string {
  return safeJsonText(JSON.stringify(value, null, indent));
}

/** @returns at most `max` UTF-16 units of the text, ending with … where something was cut off. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, max - 1);
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}
