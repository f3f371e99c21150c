import { holdsHidden } from './clean-text.ts';
/** @returns a text as one word of a shell command line to copy, quoted if necessary */
export function shellWord(text: string): string {
  return /^[\w.@%+=:,/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Quotes somebody else's text, such as a cell of a file, in a message. The result is one line, and safe to copy into a
 * shell, which would execute parts of a double-quoted text.
 */
export function quotedText(text: string): string {
  const short = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED - 1)}…` : text;
  return /[`$\\!]/.test(short) ? shellWord(short) : JSON.stringify(short);
}

const MAX_QUOTED = 120;

/** Short flags that people know better. */
const SHORT: Readonly<Record<string, string>> = { profile: '-p', output: '-o' };

/**
 * @param words the words after `gw`, including arguments
 * @param flags names and values, in order. An undefined value means that the flag was not given. A list becomes one
 *   flag per item.
 * @returns for example `gw purchase create -p sandbox --amount 2500`; undefined if a word has an invisible character,
 *   which nobody could type
 */
export function commandText(
  words: readonly string[],
  flags: Iterable<readonly [name: string, value: unknown]>,
): string | undefined {
  // A parser would read an argument that begins with a dash as a flag.
  const dashed = words.filter((word) => word.startsWith('-') && word !== '-');
  const parts = [
    ...words.filter((word) => !dashed.includes(word)),
    ...[...flags].flatMap(([name, value]) => flagWords(name, value)),
    ...(dashed.length > 0 ? ['--', ...dashed] : []),
  ];
  if (parts.some(holdsHidden)) return undefined;
  return ['gw', ...parts.map(shellWord)].join(' ');
}

function flagWords(name: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((one) => flagWords(name, one));
  if (typeof value === 'boolean') return [value ? `--${name}` : `--no-${name}`];
  const text = String(value);
  // A parser would read a value that begins with a dash as a flag.
  if (text.startsWith('-') && text !== '-') return [`--${name}=${text}`];
  return [SHORT[name] ?? `--${name}`, text];
}
