/**
 * Turns what oclif's parser throws for a wrong command line into a Failure, in our own words: what is
 * wrong with what was typed, and what to type instead.
 */

import { stripVTControlCharacters } from 'node:util';
import { choice, nearest } from '../../base/nearest.ts';
import { plural } from '../../base/plural.ts';
import { type Failure, usage } from '../../failure.ts';
import { settingFlags } from '../flags/profile-flags.ts';
import { type CommandHelp, typed } from '../help/help-data.ts';
import { flagName, meantFlags } from './meant-flag.ts';

/** A command as far as mistakes are told by it. */
type Mistaken = Pick<CommandHelp, 'id' | 'flags' | 'args'>;

/**
 * @param error what the parser threw
 * @returns the failure, or undefined when it is not about usage
 */
export function parseFailure(error: unknown, command: Mistaken): Failure | undefined {
  if (!isParseError(error)) return undefined;
  const { code, message, next, sent } = mistakeOf(error, command);
  if (next === undefined)
    return usage(code, message, seeHelp(command), { sent: false, cause: error });
  return usage(code, message, next, { sent, cause: error });
}

/**
 * A flag with one dash: oclif would take `-profile` for `-p rofile`.
 * @throws Failure usage when one was typed
 */
export function refuseSingleDash(argv: readonly string[], command: Mistaken): void {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  const wrong = words.find((word) => isSingleDash(word, Object.keys(command.flags)));
  if (wrong !== undefined) throw parseFailure(unknownFlags([wrong]), command) as Failure;
}

/** @returns whether a word is a known flag but for its second dash */
function isSingleDash(word: string, known: readonly string[]): boolean {
  return /^-[A-Za-z][\w-]+(?:=|$)/.test(word) && known.includes(flagName(word));
}

interface Mistake {
  code: string;
  message: string;
  next?: string | undefined;
  /** The same as in a Failure. */
  sent?: false | undefined;
}

function mistakeOf(error: ParseError, command: Mistaken): Mistake {
  const unknown = error.flags?.filter((flag) => typeof flag === 'string') ?? [];
  if (unknown.length > 0) return unknownFlag(unknown, command);
  const missing = error.args?.filter((arg) => typeof arg === 'object') ?? [];
  if (missing.length > 0) return missingArgs(missing, command);
  const extra = error.args?.filter((arg) => typeof arg === 'string') ?? [];
  if (extra.length > 0) return extraArgs(extra, command);
  // oclif dims some of its messages where it finds a terminal with colours.
  const text = stripVTControlCharacters(error.message)
    .replace(/\nSee more help with --help$/, '')
    .replace(/^The following errors? occurred:\s*/, '')
    .trim();
  for (const [said, wordsOf] of MISTAKES) {
    const match = said.exec(text);
    if (match) return wordsOf(match, command);
  }
  return { code: 'flag-invalid', message: text.endsWith('.') ? text : `${text}.` };
}

/** What oclif says, and how we say it. */
const MISTAKES: readonly [
  said: RegExp,
  words: (match: RegExpExecArray, command: Mistaken) => Mistake,
][] = [
  [
    /^Expected --([\w-]+)=(.*) to be one of:/s,
    ([, flag = '', value = ''], at) => wrongChoice(flag, value, at),
  ],
  [/^Flag --([\w-]+) expects /, ([, flag = ''], at) => valueMissing(flag, at)],
  [
    /^Flag --([\w-]+) can only be specified once/,
    ([, flag]) => ({
      code: 'flag-invalid',
      message: `--${flag} was given more than once.`,
      next: `Give --${flag} once.`,
      sent: false,
    }),
  ],
  [
    /^Missing required flag ([\w-]+)/,
    ([, flag = ''], at) => ({
      code: 'flag-missing',
      message: `Missing: --${flag}.`,
      next: `Add ${usageOf(flag, at)}. ${seeHelp(at)}`,
      sent: false,
    }),
  ],
  [
    /^--([\w-]+)(?:=.*)? cannot also be provided when using --([\w-]+)/s,
    ([, one, other]) => ({
      code: 'flags-exclusive',
      message: `--${one} and --${other} cannot be used together.`,
      next: `Give only --${one}, or only --${other}.`,
      sent: false,
    }),
  ],
];

function unknownFlag(unknown: readonly string[], command: Mistaken): Mistake {
  const [first = ''] = unknown;
  const names = unknown.map((flag) => flag.replace(/=.*$/s, ''));
  const message = `\`gw ${typed(command.id)}\` has no ${plural(names.length, 'flag', 'flags')} ${choice(names, 'and')}.`;
  return {
    code: 'flag-unknown',
    message,
    next: denied(first, command) ?? aside(first, command) ?? guesses(unknown, command),
  };
}

function guesses(unknown: readonly string[], command: Mistaken): string | undefined {
  const known = Object.values(command.flags).flatMap(({ name, type, ...rest }) =>
    type === 'boolean' && 'allowNo' in rest && rest.allowNo ? [name, `no-${name}`] : [name],
  );
  const meant = [...new Set(unknown.flatMap((flag) => meantFlags(flag, known)))];
  if (meant.length === 0) return undefined;
  return `Did you mean ${choice(meant.map((flag) => `--${flag}`))}?`;
}

/** What is said in another way: `--csv` for `--output csv`, a profile as an argument, a token. */
function aside(word: string, { id, flags, args }: Mistaken): string | undefined {
  const name = flagName(word);
  if (SECRETS.test(name) && 'with-token' in flags)
    return 'A token never stands on the command line: gw asks for it, or --with-token reads it from stdin.';
  if (name === 'profile' && ('profile' in args || id.startsWith('profile:')))
    return `The profile is an argument: \`gw ${typed(id)} ${word.split('=')[1] ?? 'NAME'}\`.`;
  const owner = Object.values(flags).find(
    (flag) => flag.type === 'option' && flag.options?.includes(name),
  );
  return owner && `Did you mean --${owner.name} ${name}?`;
}

const SECRETS = /^(?:api-)?(?:token|key|password|secret)$/;

/** `--no-x` for a flag x that has no such form. */
function denied(word: string, { flags }: Mistaken): string | undefined {
  const name = /^no-(.+)$/.exec(flagName(word))?.[1] ?? '';
  const flag = flags[name];
  if (!flag) return undefined;
  if (flag.type === 'boolean') return `--${name} is off by default: omit it.`;
  const isCleared = name in settingFlags && 'allowed-commands' in flags && name !== 'environment';
  return isCleared
    ? `Write --${name} none to remove the setting.`
    : `--${name} takes a value: omit it if you want none.`;
}

function wrongChoice(name: string, value: string, { flags }: Mistaken): Mistake {
  const flag = flags[name];
  const options = flag?.type === 'option' ? (flag.options ?? []) : [];
  const meant = likeOne(value, options);
  return {
    code: 'flag-invalid',
    message: `--${name} takes ${choice(options)}, not ${JSON.stringify(value)}.`,
    ...(meant
      ? { next: `Did you mean --${name} ${meant}?` }
      : { next: 'Choose one of them.', sent: false }),
  };
}

function likeOne(value: string, options: readonly string[]): string | undefined {
  const word = value.toLowerCase();
  if (word === '') return undefined;
  const begun = options.find((option) => option.startsWith(word) || word.startsWith(option));
  return begun ?? nearest(word, options)[0];
}

function valueMissing(name: string, command: Mistaken): Mistake {
  const flag = command.flags[name];
  const options = flag?.type === 'option' ? flag.options : undefined;
  return {
    code: 'flag-invalid',
    message: `--${name} needs a value.`,
    next: options
      ? `It takes ${choice(options)}.`
      : `Write ${usageOf(name, command)}; a value that begins with a dash as --${name}=VALUE.`,
    sent: false,
  };
}

function missingArgs(missing: readonly { name: string }[], command: Mistaken): Mistake {
  const names = missing.map(({ name }) => name.toUpperCase());
  const args = Object.entries(command.args).map(([name, { required }]) =>
    required ? name.toUpperCase() : `[${name.toUpperCase()}]`,
  );
  const line = ['gw', typed(command.id), ...args];
  return {
    code: 'argument-missing',
    message: `Missing: ${names.join(', ')}.`,
    next: `Write \`${line.join(' ')}\`. ${seeHelp(command)}`,
    sent: false,
  };
}

function extraArgs(extra: readonly string[], command: Mistaken): Mistake {
  const takes = Object.keys(command.args).map((name) => name.toUpperCase());
  const what = takes.length === 0 ? 'no arguments' : `${choice(takes, 'and')} and no more`;
  const aside = extra.length === 1 ? misplaced(extra[0] ?? '', command) : '';
  return {
    code: 'argument-unexpected',
    message: `Unexpected ${plural(extra.length, 'argument', 'arguments')}: ${extra.join(', ')}.`,
    next: `\`gw ${typed(command.id)}\` takes ${what}${aside}. ${seeHelp(command)}`,
    sent: false,
  };
}

/** @returns which flag a word is probably the value of */
function misplaced(word: string, { args, flags }: Mistaken): string {
  if ('decimal-amount' in flags && DECIMAL.test(word))
    return `; if ${word} is an amount, write --decimal-amount ${word}`;
  const isProfile = Object.keys(args).length === 0 && 'profile' in flags && PROFILE_NAME.test(word);
  return isProfile ? `; if ${word} is a profile, add --profile ${word}` : '';
}

const DECIMAL = /^\d+\.\d+$/;
const PROFILE_NAME = /^[a-z][\w-]{0,30}$/;

function usageOf(name: string, { flags }: Mistaken): string {
  const flag = flags[name];
  const value = flag?.type === 'option' ? (flag.helpValue ?? '<value>') : '';
  return `--${name} ${value}`.trim();
}

function seeHelp({ id }: Mistaken): string {
  return `\`gw help ${typed(id)}\` says what it takes.`;
}

function unknownFlags(flags: readonly string[]): ParseError {
  return Object.assign(new Error('Nonexistent flag'), { oclif: {}, flags });
}

interface ParseError extends Error {
  flags?: readonly unknown[];
  /** Names of arguments there are too many of, or descriptions of those that are missing. */
  args?: readonly (string | { name: string })[];
}

/** By shape: the class is one of oclif's own. */
function isParseError(error: unknown): error is ParseError {
  return error instanceof Error && 'oclif' in error;
}
