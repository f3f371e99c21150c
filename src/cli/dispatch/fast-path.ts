/**
 * Runs commands without oclif, which takes longer to load than everything else together.
 *
 * It parses by the flags in the manifest, and only handles clear cases: known flags with plain values, and the right
 * number of arguments. Everything else (help, mistakes) goes to slow-path.ts, which finds the right message. So the
 * fast path makes gw faster but never different; the whole-program tests run both ways.
 */
import { trimText } from '../../base/clean-text.ts';
import type { HelpFlag } from '../help/help-data.ts';
import { readWords, type TypedFlag } from './argv.ts';
import type { CommandInput } from './command.ts';

/** A flag in the manifest. */
type FlagEntry = Omit<HelpFlag, 'description' | 'helpGroup' | 'helpValue'>;

/** A command in the manifest. */
export interface CommandEntry {
  flags: Readonly<Record<string, FlagEntry>>;
  args: Readonly<Record<string, { required?: boolean; default?: string }>>;
  strict: boolean;
}

/**
 * @param typed the words after the command's name
 * @returns what they say; undefined if oclif has to decide
 */
export function fastPath(typed: readonly string[], entry: CommandEntry): CommandInput | undefined {
  const words = withJsonFields(withOwnForms(typed, entry.flags), entry);
  if (!words || words.includes('--') || words.some((word) => isOneDash(word, entry.flags)))
    return undefined;
  const read = readWords(words, entry.flags);
  const { positionals } = read;
  const given = valuesOf(read.flags, entry.flags);
  const flags = Object.values(entry.flags);
  const isSure =
    given !== undefined &&
    hasRightCount(positionals, entry) &&
    positionals.every((word) => word !== '') &&
    flags.every((flag) => isSatisfied(flag, given));
  if (!isSure) return undefined;
  const argv = withDefaultArgs(positionals, entry);
  const args = Object.keys(entry.args).map((name, i) => [name, argv[i]]);
  return { args: Object.fromEntries(args), argv, flags: withDefaults(given, flags) };
}

/** Names that a spreadsheet and other programs have for the ends of a period. They only choose what is shown. */
const ALSO: Readonly<Record<string, string>> = { from: 'since', to: 'until' };

/**
 * @returns argv with fixed values of flags trimmed, as other texts are later: `--output json\r`; and with the command's
 *   own names of flags, for `--from` and `--to`
 */
export function withOwnForms(
  argv: readonly string[],
  flags: Readonly<Record<string, Pick<FlagEntry, 'options'>>>,
): string[] {
  const fixed = new Set(Object.values(flags).flatMap(({ options = [] }) => options));
  const end = argv.indexOf('--');
  return argv.map((word, at) => {
    const text = trimText(word);
    if (text !== word && fixed.has(text.replace(/^--?[a-z-]+=/, ''))) return text;
    const [, name = '', value = ''] = /^--([a-z]+)(=.*)?$/s.exec(word) ?? [];
    const own = Object.hasOwn(ALSO, name) && !(name in flags) ? (ALSO[name] ?? '') : '';
    return own in flags && (end === -1 || at < end) ? `--${own}${value}` : word;
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

/**
 * @returns whether a flag lacks a dash. `-profile` would mean `-p rofile`, and show the records of a profile that does
 *   not exist
 */
export function isOneDash(word: string, flags: CommandEntry['flags']): boolean {
  return /^-[a-z]/.test(word) && Object.hasOwn(flags, word.slice(1).replace(/=.*$/s, ''));
}

type FlagValues = Record<string, string | boolean | string[] | undefined>;

/** @returns the values by name; undefined if one is not plain, or is given twice: of two amounts, gw takes neither */
function valuesOf(
  typed: readonly TypedFlag[],
  flags: CommandEntry['flags'],
): FlagValues | undefined {
  const found: FlagValues = {};
  for (const one of typed) {
    const flag = Object.hasOwn(flags, one.name) ? flags[one.name] : undefined;
    const value = flag && plainValue(flag, one);
    const before = found[one.name];
    if (value === undefined) return undefined;
    if (Array.isArray(value)) found[one.name] = [...((before as string[]) ?? []), ...value];
    // A toggle may be repeated, but not denied as well.
    else if (before === undefined || (flag?.type === 'boolean' && before === value))
      found[one.name] = value;
    else return undefined;
  }
  // In the order of oclif's parser, since messages repeat them.
  const names = Object.keys(flags).filter((name) => found[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, found[name]]));
}

/**
 * oclif drops the `=` of `-o=json`, and treats empty values in its own way. A word of its own that begins like a flag may
 * be one; behind `--note=` any text is a value.
 */
function plainValue(
  { type, options, multiple }: FlagEntry,
  { isDenied, value, isInline }: TypedFlag,
): boolean | string | string[] | undefined {
  if (type === 'boolean') return value === undefined ? !isDenied : undefined;
  if (!value || value.startsWith('=') || (options && !options.includes(value))) return undefined;
  if (!isInline && /^-./.test(value)) return undefined;
  return multiple ? [value] : value;
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
