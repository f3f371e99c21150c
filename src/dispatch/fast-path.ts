/**
 * Runs ordinary commands without oclif, which takes longer to load than everything else together.
 *
 * It parses by the flags that oclif itself wrote into its manifest, and takes only what it is sure
 * of: a known command, known flags with sensible values, the right number of arguments. Everything
 * else (help, mistakes, abbreviations, other commands) goes to oclif, which then says what there is
 * to say. So it can only make gw faster, never different; the whole-program scripts run both ways.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { OperationFlags } from '../operations/run-operation.ts';
import { PROGRAM_NAMES, type ProgramName } from './program-names.ts';

/** What the manifest says of a flag. */
interface FlagEntry {
  name: string;
  type: 'boolean' | 'option';
  char?: string;
  multiple?: boolean;
  options?: readonly string[];
  exclusive?: readonly string[];
  required?: boolean;
  default?: unknown;
}

/** What the manifest says of a command. */
export interface CommandEntry {
  flags: Readonly<Record<string, FlagEntry>>;
  args: Readonly<Record<string, { required?: boolean }>>;
  strict: boolean;
}

export interface Parsed {
  program: ProgramName;
  args: readonly string[];
  flags: OperationFlags;
}

/**
 * @param argv what was typed after `gw`
 * @param entryOf finds a command in the manifest by oclif's id, for example `purchase:get`
 * @returns what to run, or undefined when it is oclif's
 */
export function fastPath(
  argv: readonly string[],
  entryOf: (id: string) => CommandEntry | undefined,
): Parsed | undefined {
  for (const words of [2, 1]) {
    const name = argv.slice(0, words).join(' ');
    const program = PROGRAM_NAMES.find((each) => each === name);
    if (!program) continue;
    const entry = entryOf(program.replaceAll(' ', ':'));
    const parsed = entry && parse(argv.slice(words), entry);
    return parsed && { program, ...parsed };
  }
  return undefined;
}

function parse(argv: readonly string[], entry: CommandEntry): Omit<Parsed, 'program'> | undefined {
  const flags = Object.values(entry.flags);
  if (argv.includes('--') || flags.some(isUnusual)) return undefined;
  const found = tryParse(argv, flags);
  if (!found) return undefined;
  const { values, positionals } = found;
  const given = flags.filter(({ name }) => values[name] !== undefined);
  const isSure =
    hasRightCount(positionals, entry) &&
    positionals.every((word) => word !== '') &&
    given.every((flag) => isPlain(flag, values[flag.name])) &&
    !given.some(({ exclusive }) => exclusive?.some((other) => values[other] !== undefined));
  return isSure ? { args: positionals, flags: values as OperationFlags } : undefined;
}

/** Rules of oclif's that no ordinary command uses; one that comes to use them is oclif's. */
function isUnusual({ multiple, required, ...flag }: FlagEntry): boolean {
  return multiple === true || required === true || flag.default !== undefined;
}

interface Found {
  values: Readonly<Record<string, unknown>>;
  positionals: readonly string[];
}

function tryParse(argv: readonly string[], flags: readonly FlagEntry[]): Found | undefined {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const { name, type, char } of flags) {
    options[name] = {
      type: type === 'boolean' ? 'boolean' : 'string',
      ...(char ? { short: char } : {}),
    };
  }
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch {
    // An unknown flag, or one without its value: oclif says so better.
    return undefined;
  }
}

function hasRightCount(positionals: readonly string[], { args, strict }: CommandEntry): boolean {
  const known = Object.values(args);
  const required = known.filter((arg) => arg.required).length;
  return positionals.length >= required && (!strict || positionals.length <= known.length);
}

/** oclif drops the `=` of `-o=json`, and has opinions on empty values. */
function isPlain({ options }: FlagEntry, value: unknown): boolean {
  if (typeof value !== 'string') return value === true;
  return value !== '' && !value.startsWith('=') && (!options || options.includes(value));
}
