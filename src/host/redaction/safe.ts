/**
 * Makes text from the network or a user safe to show.
 *
 * A terminal obeys control characters, and hidden ones can make text read as something else (base/clean-text.ts
 * says which stay). All functions below replace each with its JSON escape (`\n`, `\u001b`). So hidden characters become
 * visible and the terminal obeys nothing. In JSON this loses nothing. In plain text it does, because a backslash is not
 * escaped. For the exact text, users need JSON.
 */
import { holdsHidden, replaceHidden } from '../../base/clean-text.ts';
import { MARK, withNumbers } from '../../base/json.ts';
import { shellWord } from '../../base/shell.ts';
import { holdsCardNumber } from '../../contract/cards/find-card-numbers.ts';

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeUnits(character: string): string {
  // A number that was masked, or joined to others, is a text: it is shown as it was written.
  if (character === MARK) return '';
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** @returns the text on one line, without anything that a terminal obeys */
export function neutralise(text: string): string {
  return replaceHidden(text, (character) => SHORT_ESCAPES[character] ?? escapeUnits(character));
}

/** @returns the same for a text of several lines, whose line ends stay */
export function neutraliseLines(text: string): string {
  return text.split('\n').map(neutralise).join('\n');
}

/**
 * For formatted text: JSON with its white space, or text that gw draws on a terminal. Both need C0 control characters.
 * @returns the text without hidden characters, except C0 controls; JSON parses to the same value
 */
export function escapeHidden(text: string): string {
  // Most texts have nothing else, and the pattern for the others takes Node a while to make.
  if (/^[\0-~]*$/.test(text)) return text;
  return replaceHidden(text, (character) => (character < ' ' ? character : escapeUnits(character)));
}

/**
 * @param indent spaces per level; none gives one line
 * @returns the value as JSON that is safe on a terminal, with numbers as they were written
 */
export function toJson(value: unknown, indent?: number): string {
  return escapeHidden(withNumbers(JSON.stringify(value, null, indent)));
}

/**
 * @returns a text quoted as a word of a command. Returns the placeholder if part of the text would be shown escaped or
 *   masked.
 */
export function commandWord(text: string, placeholder = 'ID'): string {
  return holdsHidden(text) || holdsCardNumber(text) ? placeholder : shellWord(text);
}

/** @returns at most `max` UTF-16 units of the text, ending with … if something was cut off */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, max - 1);
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}
