import { holdsHidden } from './hidden-characters.ts';
/** @returns a text as one word of a shell's command line, to be copied: quoted where it has to be */
export function shellWord(text: string): string {
  return /^[\w.@%+=:,/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * A text of others, a cell of a file for example, as a message quotes it: on one line, and harmless to whoever
 * copies it into a shell, which runs what it finds between double quotes.
 */
export function quotedText(text: string): string {
  const short = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED - 1)}…` : text;
  return /[`$\\!]/.test(short) ? shellWord(short) : JSON.stringify(short);
}

const MAX_QUOTED = 120;

/** Short forms that people know better. */
const SHORT: Readonly<Record<string, string>> = { profile: '-p', output: '-o' };

/**
 * @param words what follows `gw`, arguments included
 * @param flags names and values, in order; what is undefined was not given, and a list is given once for each
 * @returns for example `gw purchase create -p sandbox --amount 2500`; undefined where a word has a
 *   character that cannot be seen, and so is not typed
 */
export function commandText(
  words: readonly string[],
  flags: Iterable<readonly [name: string, value: unknown]>,
): string | undefined {
  // To a parser, an argument that begins with a dash would be a flag.
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
  // To a parser, what begins with a dash would be a flag of its own.
  if (text.startsWith('-') && text !== '-') return [`--${name}=${text}`];
  return [SHORT[name] ?? `--${name}`, text];
}
