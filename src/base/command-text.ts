/** A command of gw as it is typed in a shell, to be shown to people. */
import { holdsHidden } from './hidden-characters.ts';
import { shellWord } from './shell-word.ts';

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
