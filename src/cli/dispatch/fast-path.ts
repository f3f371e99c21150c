/**
 * Runs commands without oclif, which takes longer to load than everything else together.
 *
 * It parses by the flags in the manifest, and only handles clear cases: known flags with plain values, and the right
 * number of arguments. Everything else (help, mistakes) goes to slow-path.ts, which finds the right message. So the
 * fast path makes gw faster but never different; the whole-program tests run both ways.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { trimmed } from '../../base/clean-text.ts';
import type { HelpFlag } from '../help/help-data.ts';
import type { CommandInput } from './command.ts';

/** A flag in the manifest. */
type FlagEntry = Omit<HelpFlag, 'description' | 'helpGroup' | 'helpValue'>;

/** A command in the manifest. */
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

/** The most words in a command's name. */
const MAX_WORDS = 3;

/**
 * @param argv the words typed after `gw`
 * @param entryOf finds a command in the manifest by oclif's id
 * @returns the command to run; undefined if oclif has to decide
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
    const typed = withTrimmedOptions(argv.slice(count), entry.flags);
    const words = withJsonFields(typed, entry);
    const input = words && parse(words, entry);
    return input && { id, input };
  }
  return undefined;
}

/** @returns argv with fixed values of flags trimmed, as other texts are later: `--output json\r` */
export function withTrimmedOptions(
  argv: readonly string[],
  flags: Readonly<Record<string, Pick<FlagEntry, 'options'>>>,
): string[] {
  const fixed = new Set(Object.values(flags).flatMap(({ options = [] }) => options));
  return argv.map((word) => {
    const text = trimmed(word);
    return text !== word && fixed.has(text.replace(/^--?[a-z-]+=/, '')) ? text : word;
  });
}

const FIELD = '[a-z][\\w.]*\\??';
const ONE_FIELD = new RegExp(`^${FIELD}$`);
const FIELDS = new RegExp(`^${FIELD}(?:,${FIELD})+$`);

/**
 * Reads `--json id,amount` as gh does, as `--json --fields id,amount`. A single word may be an argument: it is a field
 * if the command takes no argument, or prints a field of this name.
 * @param fields names of the fields that the command prints, if they are known
 * @returns argv with --fields in its place; undefined if it takes the names of the fields to tell
 */
export function withJsonFields(
  argv: readonly string[],
  { flags, args }: Pick<CommandEntry, 'args'> & { flags: Readonly<Record<string, unknown>> },
  fields?: readonly string[],
): readonly string[] | undefined {
  const end = argv.indexOf('--');
  const place = argv.findIndex((word) => /^--json(?:=|$)/.test(word));
  if (place === -1 || (end !== -1 && place > end) || flags.fields === undefined) return argv;
  const [flag = '', next = ''] = argv.slice(place);
  const [before, after] = [argv.slice(0, place), argv.slice(place + 1)];
  const picked = [...before, '--json', '--fields'];
  if (flag !== '--json') return [...picked, flag.slice('--json='.length), ...after];
  if (FIELDS.test(next)) return [...picked, ...after];
  if (!ONE_FIELD.test(next)) return argv;
  if (Object.keys(args).length === 0) return [...picked, ...after];
  return fields && (fields.includes(next) ? [...picked, ...after] : argv);
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

/**
 * @returns whether a flag lacks a dash. `-profile` would mean `-p rofile`, and show the records of a profile that does
 *   not exist
 */
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
    // An unknown flag, or one without its value: oclif has the better message.
    return undefined;
  }
}

/** Whether a value is given twice: of two amounts, gw takes neither. */
function isRepeated({ tokens }: Parsed, flags: readonly FlagEntry[]): boolean {
  const given = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  return flags.some(
    ({ name, type, multiple }) =>
      type === 'option' && !multiple && given.indexOf(name) !== given.lastIndexOf(name),
  );
}

/** @returns the values by name, with `--no-x` as false for x; undefined if a value is not plain */
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

/** oclif drops the `=` of `-o=json`, and treats empty values in its own way. */
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
