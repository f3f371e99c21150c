/**
 * Flags and arguments of commands, as plain data in the terms of oclif's manifest. One definition serves oclif's
 * parser, help, completion and the fast path.
 *
 * Tests: test/unit/cli/dispatch/fast-path.test.ts, test/unit/cli/dispatch/slow-path.test.ts
 */
import { usage } from '../../failure.ts';

/** A value that gw asks a person for if it is left out. */
interface Askable {
  /** true if it is needed where nobody can be asked; otherwise the value that is taken there. Help says so. */
  asked?: true | string;
}

interface FlagHelp extends Askable {
  /** One sentence. */
  description: string;
  helpGroup?: string;
  /** One letter, for `-o`. */
  char?: 'o' | 'p' | 'q' | 'y' | 'L';
  /** Names of flags that cannot be used together with it. */
  exclusive?: readonly string[];
}

/** A flag with a value. Values are text: the code that uses a number or a date parses it. */
export interface OptionFlag extends FlagHelp {
  type: 'option';
  /** For example `<integer>`. */
  helpValue?: string;
  /** The only values that it accepts. */
  options?: readonly string[];
  /** Values that completion offers, where the command itself judges what is given. */
  choices?: readonly string[];
  default?: string;
  required?: true;
  /** The flag may be repeated; each occurrence takes one word. */
  multiple?: true;
  /** Set if one word may have several of the values, with commas between them. */
  delimiter?: ',';
}

/** A flag without a value; with `allowNo` it also has a `--no-` form. */
export interface BooleanFlag extends FlagHelp {
  type: 'boolean';
  allowNo?: true;
}

export type Flag = OptionFlag | BooleanFlag;
export type FlagMap = Readonly<Record<string, Flag>>;

export interface Arg extends Askable {
  /** One sentence. */
  description: string;
  required?: true;
  default?: string;
  /** Values that completion offers. */
  choices?: readonly string[];
}
export type ArgMap = Readonly<Record<string, Arg>>;

export function option<const Options extends Omit<OptionFlag, 'type'>>(options: Options) {
  return { type: 'option', ...options } as const;
}

export function toggle<const Options extends Omit<BooleanFlag, 'type'>>(options: Options) {
  return { type: 'boolean', ...options } as const;
}

/** @returns the makers of flags for a group of the help (cli/help/flag-groups.ts) */
export const inGroup = (helpGroup: string) => ({
  option: <const Options extends Omit<OptionFlag, 'type'>>(options: Options) =>
    option({ ...options, helpGroup }),
  toggle: <const Options extends Omit<BooleanFlag, 'type'>>(options: Options) =>
    toggle({ ...options, helpGroup }),
});

type ChoiceOf<F> = F extends { options: readonly (infer Choice)[] } ? Choice : string;

type ValueOf<F> = F extends { multiple: true } ? ChoiceOf<F>[] : ChoiceOf<F>;

type FlagValue<F> = F extends { type: 'boolean' }
  ? boolean | undefined
  : F extends { required: true } | { default: string }
    ? ValueOf<F>
    : ValueOf<F> | undefined;

/** The values of flags; undefined for a flag that was not given and has no default. */
export type FlagValuesOf<Flags extends FlagMap> = string extends keyof Flags
  ? Readonly<Record<string, string | boolean | string[] | undefined>>
  : { readonly [Name in keyof Flags]: FlagValue<NonNullable<Flags[Name]>> };

/** Values by flag name, as oclif or the fast path parsed them. */
export type FlagValues = Readonly<Record<string, unknown>>;

/** The values of arguments. */
export type ArgValuesOf<Args extends ArgMap> = {
  readonly [Name in keyof Args]: Args[Name] extends { required: true } | { default: string }
    ? string
    : string | undefined;
};

/** One id. */
export const idArg = (description: string) => ({ id: { description, required: true } }) as const;

/** One id; if it is left out, gw asks a person for it. */
export const optionalIdArg = (description: string) =>
  ({ id: { description, asked: true } }) as const;

/** Several ids, or `-`; the command takes many. */
export const idsArg = (description: string) => idArg(`${description} Several, or - for stdin.`);

/** Several ids, or `-`; if none is given, a person picks one. */
export const optionalIdsArg = (description: string) =>
  optionalIdArg(`${description} Several, or - for stdin.`);

/** @throws Failure usage for an empty id */
export function checkedId(id: string): string {
  if (id.trim() !== '') return id;
  throw usage(
    'id-missing',
    'An id is empty.',
    'Give the id of a record, for example 071-P-12AB34CD.',
  );
}

/**
 * Refuses `-` for one record: it stands for stdin only in commands that take many.
 * @param next a sentence: what to run instead
 * @throws Failure usage
 */
export function checkOne(id: string, kind: string, next = `Give the id of one ${kind}.`): void {
  if (id.trim() !== '-') return;
  throw usage('id-missing', `- is not the id of a ${kind}.`, next, { sent: false });
}
