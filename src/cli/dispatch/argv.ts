/**
 * Reads argv, for running a command, its help, its completion, the form of a failure, and the name of the cache of its
 * code. It judges no mistake: what is not clear goes to oclif's parser.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { CommandNames } from '../../host/code-cache.ts';
import type { BooleanFlag, Flag, OptionFlag } from '../flags/flag.ts';

/** A command's words, at most (`emulator hooks list`). */
const MAX_WORDS = 3;

export interface FoundCommand {
  /** oclif's id, for example `purchase:get`; undefined if argv has no command */
  id: string | undefined;
  /** The words after the command's name, or all words without one. Flags typed before it stand behind. */
  words: readonly string[];
}

/**
 * @param argv the words typed after `gw`
 * @returns the command with the longest name at the beginning, after flags that may stand before it
 */
export function findCommand(argv: readonly string[], names: CommandNames): FoundCommand {
  const words = flagsBehind(argv, names);
  const named = wordsBeforeFlags(words).slice(0, MAX_WORDS);
  for (let count = named.length; count > 0; count--)
    if (names.isCommand(words.slice(0, count)))
      return { id: words.slice(0, count).join(':'), words: words.slice(count) };
  return { id: undefined, words };
}

/** The flags that take no value in any command. `--json id,amount` takes the names of fields. */
const ALONE =
  /^--?(?:no-.+|(?:allow|retry|require|without)-.+|accept-restore|all|all-profiles|as-written|chart|compare|contradicted|debug|declines|dry-run|excel|faults|follow|fresh|full|header|help|h|is-active|json|lost|offline|openapi|plain|print-sql|purchases|quiet|raw|read-only|remember|repair|skeleton|unresolved|verbose|verify|with-token|yes|y)$/;

/**
 * @returns argv with the flags before the command moved behind it: in `gw -p local plan list` they belong to the
 *   command
 */
function flagsBehind(argv: readonly string[], names: CommandNames): readonly string[] {
  let start = 0;
  while (argv[start]?.startsWith('-')) {
    const next = argv[start + 1];
    const isValueNext =
      !argv[start]?.includes('=') &&
      next !== undefined &&
      (!ALONE.test(argv[start] ?? '') || next.includes(',')) &&
      !next.startsWith('-') &&
      !names.isCommand([next]) &&
      !names.isTopic([next]);
    start += isValueNext ? 2 : 1;
  }
  if (start === 0 || start >= argv.length) return argv;
  const rest = argv.slice(start);
  const flags = wordsBeforeEnd(rest);
  return [...flags, ...argv.slice(0, start), ...rest.slice(flags.length)];
}

/** @returns the words up to the first flag */
export function wordsBeforeFlags(words: readonly string[]): readonly string[] {
  const firstFlag = words.findIndex((word) => word.startsWith('-'));
  return firstFlag === -1 ? words : words.slice(0, firstFlag);
}

/** @returns the words up to `--`, after which there are no flags */
function wordsBeforeEnd(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end === -1 ? words : words.slice(0, end);
}

/** @param words the words after a command's name, or all */
export function wantsHelp(words: readonly string[]): boolean {
  return wordsBeforeEnd(words).some((word) => word === '--help' || word === '-h');
}

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
  /** Whether the value is in the same word: `--note=-5`. */
  isInline: boolean;
}

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
    const { name, value, inlineValue: isInline = false } = token;
    return [{ name: denied.get(name) ?? name, isDenied: denied.has(name), value, isInline }];
  });
  return { flags: typed, positionals };
}
