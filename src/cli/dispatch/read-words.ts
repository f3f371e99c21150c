/** Reads flags and arguments: for running a command, its completion, a page of help, and the form of a failure. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { BooleanFlag, Flag, OptionFlag } from '../flags/flag.ts';
import { printFlags, profileFlag } from '../flags/global-flags.ts';

/** The members of a flag by which words are read. */
export type ReadFlag = Pick<Flag, 'type' | 'char'> &
  Pick<OptionFlag, 'multiple'> &
  Pick<BooleanFlag, 'allowNo'>;

/** A flag as it was typed. */
export interface TypedFlag {
  name: string;
  /** Whether it was typed as `--no-NAME`. */
  isDenied: boolean;
  value: string | undefined;
}

/** Flags that users type anywhere, and that have one meaning in all commands: an unknown command has these. */
export const USUAL_FLAGS = { ...profileFlag, ...printFlags };

/**
 * It judges nothing: a flag may be unknown, and lack its value.
 * @param words the words after a command's name
 */
export function readWords(
  words: readonly string[],
  flags: Readonly<Record<string, ReadFlag>>,
): { flags: readonly TypedFlag[]; positionals: readonly string[] } {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  const denied = new Map<string, string>();
  for (const [name, { type, char, allowNo }] of Object.entries(flags)) {
    options[name] = {
      type: type === 'boolean' ? 'boolean' : 'string',
      ...(char ? { short: char } : {}),
    };
    if (!allowNo) continue;
    denied.set(`no-${name}`, name);
    options[`no-${name}`] = { type: 'boolean' };
  }
  const { tokens, positionals } = parseArgs({
    args: [...words],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const typed = tokens.flatMap((token): TypedFlag[] => {
    if (token.kind !== 'option') return [];
    const { name, value } = token;
    return [{ name: denied.get(name) ?? name, isDenied: denied.has(name), value }];
  });
  return { flags: typed, positionals };
}

/**
 * Knows only the two flags that it looks for, because a flag in the place of a value is a mistake, which is told as the
 * user wants it: `-p --json`.
 * @returns whether a failure has to be JSON
 */
export function wantsJson(words: readonly string[]): boolean {
  const { json, output } = printFlags;
  return readWords(words, { json, output }).flags.some(
    ({ name, value = '' }) =>
      name === 'json' || (name === 'output' && /^(?:=|--)?jsonl?$/.test(value.trim())),
  );
}
