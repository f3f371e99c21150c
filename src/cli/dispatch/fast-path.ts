/**
 * Runs commands without oclif, which takes longer to load than everything else together.
 *
 * It parses by what the manifest says of a command's flags, and takes only what it is sure of: known
 * flags with sensible values, the right number of arguments. Everything else (help, mistakes) goes to
 * slow-path.ts, which then says what there is to say. So it can only make gw faster,
 * never different; the whole-program scripts run both ways.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { HelpFlag } from '../help/help-data.ts';
import type { CommandInput } from './command.ts';

/** What the manifest says of a flag. */
type FlagEntry = Omit<HelpFlag, 'description' | 'helpGroup' | 'helpValue'>;

/** What the manifest says of a command. */
export interface CommandEntry {
  flags: Readonly<Record<string, FlagEntry>>;
  args: Readonly<Record<string, { required?: boolean; default?: string }>>;
  strict: boolean;
}

export interface FoundCommand {
  /** oclif's id of the command, for example `purchase:get`. */
  id: string;
  input: CommandInput;
}

/** Words of the longest name of a command. */
const MAX_WORDS = 3;

/**
 * @param argv what was typed after `gw`
 * @param entryOf finds a command in the manifest by oclif's id
 * @returns what to run, or undefined when it is oclif's
 */
export function fastPath(
  argv: readonly string[],
  entryOf: (id: string) => CommandEntry | undefined,
): FoundCommand | undefined {
  const end = argv.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
  const first = end === -1 ? argv.length : end;
  for (let count = Math.min(first, MAX_WORDS); count > 0; count--) {
    const id = argv.slice(0, count).join(':');
    const entry = entryOf(id);
    if (!entry) continue;
    const input = parse(argv.slice(count), entry);
    return input && { id, input };
  }
  return undefined;
}

function parse(argv: readonly string[], entry: CommandEntry): CommandInput | undefined {
  if (argv.includes('--')) return undefined;
  if (argv.some((word) => isOneDash(word, entry.flags))) return undefined;
  const flags = Object.values(entry.flags);
  const found = tryParse(argv, flags);
  if (!found || isRepeated(found, flags)) return undefined;
  const given = valuesOf(found.values, flags);
  const { positionals } = found;
  const isSure =
    given !== undefined &&
    hasRightCount(positionals, entry) &&
    positionals.every((word) => word !== '') &&
    flags.every((flag) => isSatisfied(flag, given));
  if (!isSure) return undefined;
  const words = withDefaultArgs(positionals, entry);
  const args = Object.keys(entry.args).map((name, i) => [name, words[i]]);
  return { args: Object.fromEntries(args), argv: words, flags: withDefaults(given, flags) };
}

/** @returns whether a flag lacks a dash: `-profile` would be `-p rofile`, and show what is of a profile that is not there */
export function isOneDash(word: string, flags: CommandEntry['flags']): boolean {
  return /^-[a-z]/.test(word) && Object.hasOwn(flags, word.slice(1).replace(/=.*$/s, ''));
}

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
type FlagValues = Record<string, string | boolean | string[] | undefined>;
type Parsed = ReturnType<typeof parseArgs<ParseArgsConfig & { tokens: true }>>;

function tryParse(argv: readonly string[], flags: readonly FlagEntry[]): Parsed | undefined {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const { name, type, char, allowNo, multiple = false } of flags) {
    options[name] = {
      type: type === 'boolean' ? 'boolean' : 'string',
      multiple,
      ...(char ? { short: char } : {}),
    };
    if (allowNo) options[`no-${name}`] = { type: 'boolean' };
  }
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, tokens: true });
  } catch {
    // An unknown flag, or one without its value: oclif says so better.
    return undefined;
  }
}

/** A value that is given twice: of two amounts neither is taken. */
function isRepeated({ tokens }: Parsed, flags: readonly FlagEntry[]): boolean {
  const given = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  return flags.some(
    ({ name, type, multiple }) =>
      type === 'option' && !multiple && given.indexOf(name) !== given.lastIndexOf(name),
  );
}

/** @returns the values by name, `--no-x` as false for x; undefined when one of them is not plain */
function valuesOf(values: Values, flags: readonly FlagEntry[]): FlagValues | undefined {
  const found: FlagValues = {};
  for (const flag of flags) {
    const value = values[flag.name];
    const isDenied = flag.allowNo && values[`no-${flag.name}`] === true;
    if (value === undefined) {
      if (isDenied) found[flag.name] = false;
      continue;
    }
    if (isDenied || ![value].flat().every((one) => isPlain(flag, one))) return undefined;
    found[flag.name] = value as FlagValues[string];
  }
  return found;
}

/** oclif drops the `=` of `-o=json`, and has opinions on empty values. */
function isPlain({ options }: FlagEntry, value: unknown): boolean {
  if (typeof value !== 'string') return value === true;
  return value !== '' && !value.startsWith('=') && (!options || options.includes(value));
}

function isSatisfied({ name, required, exclusive = [] }: FlagEntry, given: FlagValues): boolean {
  if (given[name] === undefined) return !required;
  return exclusive.every((other) => given[other] === undefined);
}

function hasRightCount(positionals: readonly string[], { args, strict }: CommandEntry): boolean {
  const known = Object.values(args);
  const required = known.filter((arg) => arg.required).length;
  return positionals.length >= required && (!strict || positionals.length <= known.length);
}

function withDefaultArgs(positionals: readonly string[], { args }: CommandEntry): string[] {
  const left = Object.values(args).slice(positionals.length);
  return [...positionals, ...left.flatMap((arg) => arg.default ?? [])];
}

function withDefaults(given: FlagValues, flags: readonly FlagEntry[]): FlagValues {
  for (const { name, default: standard } of flags) {
    if (standard !== undefined) given[name] ??= standard;
  }
  return given;
}
