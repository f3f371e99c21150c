/** The command line of a batch, to be typed again. */
import { shellWord } from '../base/shell-word.ts';
import type { Operation } from '../contract/operations.ts';

/** Short forms that people know better. */
const SHORT: Readonly<Record<string, string>> = { profile: '-p', output: '-o' };

/**
 * @param source a path, or `-` for stdin
 * @param flags as they were given; none of them is a secret
 * @returns undefined where the input cannot be read again
 */
export function sameCommand(
  { name }: Operation,
  source: string,
  flags: object,
): string | undefined {
  if (source === '-') return undefined;
  const words = Object.entries(flags).flatMap(([flag, value]: [string, unknown]) => {
    const word = SHORT[flag] ?? `--${flag}`;
    if (value === true) return [word];
    return [value].flat().flatMap((one) => (typeof one === 'string' ? [word, shellWord(one)] : []));
  });
  return ['gw', batchCommand(name), shellWord(source), ...words].join(' ');
}

/** @param operation its name. @returns the command of its batches, as it is typed after `gw`: `refund batch` */
export function batchCommand(operation: string): string {
  return `${operation.replace(/ create$/, '')} batch`;
}
