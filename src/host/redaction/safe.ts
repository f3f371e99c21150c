/**
 * Text from the network or from a user, made safe to show.
 *
 * A terminal obeys control characters, and hidden ones make text read as something it is not
 * (base/hidden-characters.ts says which stay). All forms below write each of them as the JSON escape of the
 * character (`\n`, `\u001b`), so that what is hidden is seen and nothing is obeyed. In JSON that escape is
 * lossless. In plain text it is not, since a backslash stays as it is: whoever needs the exact text asks for JSON.
 */
import { holdsHidden, replaceHidden } from '../../base/hidden-characters.ts';
import { shellWord } from '../../base/shell.ts';
import { holdsCardNumber } from '../../contract/cards/find-card-numbers.ts';

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** @returns the text on one line, with nothing in it that a terminal obeys. */
export function neutralise(text: string): string {
  return replaceHidden(text, (character) => SHORT_ESCAPES[character] ?? escapeUnits(character));
}

/** @returns the same for a text of several lines, whose line ends stay. */
export function neutraliseLines(text: string): string {
  return text.split('\n').map(neutralise).join('\n');
}

/**
 * For what is laid out already: JSON, whose white space are C0 controls, or what gw draws on a terminal, which
 * obeys them.
 * @returns the text without any hidden character but those; JSON parses to the same value
 */
export function escapeHidden(text: string): string {
  return replaceHidden(text, (character) => (character < ' ' ? character : escapeUnits(character)));
}

/**
 * @param indent spaces per level; none gives one line
 * @returns the value as JSON that a terminal can show
 */
export function toJson(value: unknown, indent?: number): string {
  return escapeHidden(JSON.stringify(value, null, indent));
}

/**
 * @returns a text as a word of a command to be typed; a placeholder for one that would be shown as another, since
 *   something in it is hidden or masked
 */
export function typedWord(text: string, placeholder = 'ID'): string {
  return holdsHidden(text) || holdsCardNumber(text) ? placeholder : shellWord(text);
}

/** @returns at most `max` UTF-16 units of the text, ending with … where something was cut off. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, max - 1);
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}
