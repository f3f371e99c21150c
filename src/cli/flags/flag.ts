/**
 * Flags and arguments of commands, as plain data in the words of oclif's manifest. What a command
 * takes is said once; oclif's parser, its help and completion, and the fast path all read it.
 */

interface FlagHelp {
  /** One sentence. */
  description: string;
  helpGroup?: string;
  /** One letter, for `-o`. */
  char?: 'o' | 'p';
  /** Names of flags that it cannot be used together with. */
  exclusive?: readonly string[];
}

/** A flag with a value, which is text: numbers and dates are read by whoever uses them. */
export interface OptionFlag extends FlagHelp {
  type: 'option';
  /** For example `<integer>`. */
  helpValue?: string;
  /** The only values that it takes. */
  options?: readonly string[];
  default?: string;
  required?: true;
  /** May be repeated; each takes one word. */
  multiple?: true;
}

/** A flag without a value; with `allowNo` there is a `--no-` form too. */
export interface BooleanFlag extends FlagHelp {
  type: 'boolean';
  allowNo?: true;
}

export type Flag = OptionFlag | BooleanFlag;
export type FlagMap = Readonly<Record<string, Flag>>;

export interface Arg {
  /** One sentence. */
  description: string;
  required?: true;
  default?: string;
}
export type ArgMap = Readonly<Record<string, Arg>>;

export function option<const Options extends Omit<OptionFlag, 'type'>>(options: Options) {
  return { type: 'option', ...options } as const;
}

export function toggle<const Options extends Omit<BooleanFlag, 'type'>>(options: Options) {
  return { type: 'boolean', ...options } as const;
}

/** @returns what makes the flags of a group of the help (cli/help/flag-groups.ts) */
export const inGroup = (helpGroup: string) => ({
  option: <const Options extends Omit<OptionFlag, 'type'>>(options: Options) =>
    option({ ...options, helpGroup }),
  toggle: <const Options extends Omit<BooleanFlag, 'type'>>(options: Options) =>
    toggle({ ...options, helpGroup }),
});

type ValueOf<F> = F extends { multiple: true }
  ? string[]
  : F extends { options: readonly (infer Choice)[] }
    ? Choice
    : string;

type FlagValue<F> = F extends { type: 'boolean' }
  ? boolean | undefined
  : F extends { required: true } | { default: string }
    ? ValueOf<F>
    : ValueOf<F> | undefined;

/** What was given for flags; those that were not, and have no default, are undefined. */
export type FlagValuesOf<Flags extends FlagMap> = string extends keyof Flags
  ? Readonly<Record<string, string | boolean | string[] | undefined>>
  : { readonly [Name in keyof Flags]: FlagValue<NonNullable<Flags[Name]>> };

/** Values by the name of the flag, as oclif or the fast path parsed them. */
export type FlagValues = Readonly<Record<string, unknown>>;

/** What was given for arguments. */
export type ArgValuesOf<Args extends ArgMap> = {
  readonly [Name in keyof Args]: Args[Name] extends { required: true } | { default: string }
    ? string
    : string | undefined;
};

/** One id. */
export const idArg = (description: string) => ({ id: { description, required: true } }) as const;

/** One id, which a person is asked for where it is left out. */
export const askedIdArg = (description: string) =>
  ({ id: { description: `${description} Asked for on a terminal if omitted.` } }) as const;

/** Several ids, or `-`; the command takes many. */
export const idsArg = (description: string) =>
  idArg(`${description} Give several, or - to read them from stdin.`);

/** The same, of which a person picks one where none is given. */
export const askedIdsArg = (description: string) =>
  askedIdArg(`${description} Give several, or - to read them from stdin.`);
