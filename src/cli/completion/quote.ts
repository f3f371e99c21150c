/**
 * Values as they are put on a command line: whatever is in them, they are one word of text and run
 * nothing. What cannot be written so where the cursor is, is not offered.
 *
 * zsh and fish quote by themselves what they insert; bash and PowerShell insert what they are given.
 */
import type { Quote } from './split-line.ts';

/** Nothing that a shell, a terminal or a line of the answer takes for more than a character. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffd]/u;
const MAX_LENGTH = 200;
const SAFE = /[\p{L}\p{N}\p{M}_@%+=:,./-]/u;

/** @returns whether a value can be shown and typed at all */
export function isTypeable(value: string): boolean {
  return value !== '' && value.length <= MAX_LENGTH && !UNPRINTABLE.test(value);
}

/**
 * @param quote the quotes that are open at the cursor
 * @returns the text for bash to insert, or undefined when there is none in these quotes
 */
export function quoteForBash(value: string, quote: Quote): string | undefined {
  if (quote === "'") return value.includes("'") ? undefined : value;
  // In double quotes nothing keeps `!` from the history without becoming a part of the word.
  if (quote === '"') return value.includes('!') ? undefined : value.replaceAll(/[$`"\\]/g, '\\$&');
  return [...value].map((char) => (SAFE.test(char) ? char : `\\${char}`)).join('');
}

/** @returns the word for PowerShell to insert, in its single quotes where it needs them */
export function quoteForPowerShell(value: string): string {
  const isPlain = /^[\p{L}\p{N}_./:=+-]+$/u.test(value) && !value.startsWith(':');
  // It takes typographic quotes for its own.
  return isPlain ? value : `'${value.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`;
}
