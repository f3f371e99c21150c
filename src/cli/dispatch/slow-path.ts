/** Parses what the fast path does not handle. oclif's parser decides, and gw uses its messages. */

import { stripVTControlCharacters } from 'node:util';
import type { Interfaces } from '@oclif/core';
import * as Parser from '@oclif/core/parser';
import { periodBehind, withTimeInOne } from '../../base/periods.ts';
import { type Failure, usage } from '../../failure.ts';
import type { CodeOf } from '../../failure-codes.ts';
import { type CommandHelp, type HelpSource, commandWords as typedName } from '../help/help-data.ts';
import { wordsBeforeFlags } from './argv.ts';
import { cannotSay } from './cannot.ts';
import type { CommandInput } from './command.ts';
import { corrected, hasCardIn, reportOfTime, withPeriods } from './corrected.ts';
import { isOneDash, withJsonFields, withOwnForms } from './fast-path.ts';
import { flagMeant } from './flag-words.ts';
import { dueOf, filled, NO_NAME, nearestWord, placeOfCustomer, reportOfPerson } from './meant.ts';
import { nouns } from './words.ts';

/** The arguments and flags of a command. */
export type KnownCommand = Pick<CommandHelp, 'id' | 'args' | 'flags' | 'strict' | 'fields'>;

/**
 * @param typed the words after the command's name
 * @throws Failure usage if the command does not take them
 */
export async function parseArgv(
  command: KnownCommand,
  typed: readonly string[],
  source: HelpSource,
): Promise<CommandInput> {
  const words = withOwnForms(typed, command.flags);
  const asked = { command, source };
  const picked = withJsonFields(words, command, command.fields) ?? words;
  // People type `last month` and `ada byron` without quotes.
  const isPeriod = 'date' in command.args && command.strict !== false;
  const argv = isPeriod ? withPeriods(picked) : (withRecordInOne(asked, picked) ?? picked);
  const end = argv.indexOf('--');
  const before = end === -1 ? argv : argv.slice(0, end);
  const oneDash = before.find((word) => isOneDash(word, command.flags));
  if (oneDash !== undefined) {
    throw parseFailure({ message: 'Nonexistent flag', flags: [oneDash] }, asked, argv);
  }
  // The manifest lacks these members: oclif must not read stdin.
  const all = { parse: async (text: string) => text, ignoreStdin: true };
  const described = Object.entries(command.args).map(([name, arg]) => [
    name,
    { name, ...arg, ...all },
  ]);
  try {
    const {
      args,
      argv: words,
      flags,
    } = await Parser.parse(isPeriod ? inOne(argv, command) : [...argv], {
      args: Object.fromEntries(described) as Interfaces.ArgInput,
      flags: command.flags as unknown as Interfaces.FlagInput,
      strict: command.strict !== false,
    });
    return {
      args: args as CommandInput['args'],
      argv: words as string[],
      flags: flags as CommandInput['flags'],
    };
  } catch (error) {
    throw isParseError(error) ? parseFailure(error, asked, argv) : error;
  }
}

/** @returns the words with those of a time in one */
function inOne(argv: readonly string[], { flags }: KnownCommand): string[] {
  const taking = Object.values(flags).filter(({ type }) => type === 'option');
  const names = taking.flatMap(({ name, char }) => [`--${name}`, `-${char}`]);
  return [...withTimeInOne(argv, (at) => names.includes(argv[at - 1] ?? ''))];
}

/** Recognises the error by its members, because the class belongs to oclif. */
interface ParseError {
  message: string;
  flags?: readonly unknown[];
  args?: readonly unknown[];
}

function isParseError(error: unknown): error is Error & ParseError {
  return error instanceof Error && 'oclif' in error;
}

/** Messages, by their beginning or end. */
const CODES: readonly (readonly [said: RegExp, code: CodeOf<'usage'>])[] = [
  [/^Nonexistent flag/, 'flag-unknown'],
  [/^Missing: --/, 'flag-missing'],
  [/^Missing: /, 'argument-missing'],
  [/^Unexpected argument/, 'argument-unexpected'],
  [/ do not go together: leave one of them out\.$/, 'flags-exclusive'],
];

/** A command, and the help of all. */
interface Asked {
  command: KnownCommand;
  source: HelpSource;
}

/** oclif's error is not kept as the cause, because it holds the typed values. */
function parseFailure(error: ParseError, asked: Asked, argv: readonly string[]): Failure {
  const { command } = asked;
  const unknown = (error.flags ?? [])
    .filter((flag) => typeof flag === 'string')
    .map((flag) => flag.replace(/=.*$/s, ''));
  const message = saidOf(error, unknown, argv);
  const code = CODES.find(([said]) => said.test(message))?.[1] ?? 'flag-invalid';
  const name = typedName(command.id);
  const said =
    unknown.length > 0
      ? `gw ${name} has no flag${unknown.length > 1 ? 's' : ''} ${unknown.join(', ')}.`
      : message;
  const next =
    nextOf(asked, { code, message }, unknown, argv) ??
    asInExample(asked, message) ??
    `\`gw help ${name}\` says what it takes.`;
  const isSending = 'dry-run' in command.flags || asked.source.index.charging.includes(command.id);
  // Nobody expects a report or a list to have sent something.
  return usage(code, said, next, { sent: isSending ? false : undefined });
}

/** @returns what was meant, if that is clear; letters alone never name a flag that skips a check or takes all */
function nextOf(
  asked: Asked,
  { code, message }: { code: CodeOf<'usage'>; message: string },
  unknown: readonly string[],
  argv: readonly string[],
): string | undefined {
  const { command, source } = asked;
  const said =
    cannotSay(command.id, argv) ?? nextOfValue(asked, message, argv) ?? ofProposal(asked, argv);
  if (said !== undefined || message.startsWith('Expected --output to be')) return said;
  const report =
    command.id === 'receipt'
      ? statementOf(asked, unknown, argv)
      : command.id.startsWith('report:') && otherReport(asked, unknown, argv);
  if (report) return `Did you mean ${report}`;
  const isClear = unknown.every((flag) => flagMeant(command, flag) !== undefined);
  if (code === 'flag-unknown' && isClear) {
    const line = corrected(command, argv);
    // A request without what a flag says would be another one.
    const isOther = line.endsWith(' takes.') && 'dry-run' in command.flags && command.id !== 'api';
    return isOther ? othersWith(unknown, { command, source }) : `Did you mean ${line}`;
  }
  if (isOfArguments(code, command))
    return siblingMeant(asked, argv) ?? ofPerson(asked, argv) ?? withOneArgument(command, argv);
  const [flag = '', other] = unknown;
  const names = Object.keys(command.flags).filter((name) => !GRAVE.test(name));
  const near = other === undefined && nearestWord(flag.replace(/^-+/, ''), names);
  return near ? `Did you mean --${near}?` : othersWith(unknown, { command, source });
}

/** @returns an example of the command with the flag that is missing */
function asInExample({ command, source }: Asked, message: string): string | undefined {
  const flag = /^Missing: (--[\w-]+)/.exec(message)?.[1];
  if (flag === undefined) return undefined;
  const { examples } = source.command(command.id);
  const example = examples.find((line) => line.includes(`${flag} `));
  return example && `Add it, as in \`${example}\`.`;
}

/** @returns for a receipt of several payments, the statement of that time; undefined if no flag names a time */
function statementOf(
  { source }: Asked,
  unknown: readonly string[],
  argv: readonly string[],
): string | undefined {
  const statement = source.command('report:customer');
  const isTime = (flag: string) => /^(?:since|until)$/.test(flagMeant(statement, flag)?.name ?? '');
  return unknown.some(isTime) ? corrected(statement, argv) : undefined;
}

/** @returns the report that has what an unknown flag says; undefined if no flag says that */
function otherReport(
  { command: { id }, source }: Asked,
  unknown: readonly string[],
  argv: readonly string[],
): string | undefined {
  // Sums are those of the report of the period.
  if (unknown.includes('--by'))
    return corrected(source.command(`report:${reportOfTime(argv) ?? 'month'}`), argv);
  // The sums of everybody are another answer than those of one person.
  const flag = argv[placeOfCustomer(source, argv)]?.replace(/=.*$/s, '');
  if (flag === undefined || !unknown.includes(flag)) return undefined;
  if (id === 'report:forecast' || id === 'report:subscriptions') return dueOf(source, argv);
  return corrected(
    source.command('report:charges'),
    id === 'report:refunds' ? [...argv, '--refunds'] : argv,
  );
}

/** @returns whether an argument may be the value of a flag, as one of several is in `events resend 17 URL` */
function isOfArguments(code: CodeOf<'usage'>, { strict }: KnownCommand): boolean {
  return code === 'argument-unexpected' || (code === 'flag-missing' && !strict);
}

/** @returns what was meant by the value of a flag, if it is one of those that people often mistake */
function nextOfValue(
  { command, source }: Asked,
  message: string,
  argv: readonly string[],
): string | undefined {
  if (message.includes('Flag --html expects'))
    return 'Name the file, for example `--html march.html`.';
  if (message.includes('Flag --xlsx expects'))
    return 'Name the file, for example `--xlsx march.xlsx`.';
  if (/^Expected --by\b/.test(message)) return ofSums({ command, source }, argv);
  if (!message.startsWith('Expected --output to be')) return undefined;
  // A bookkeeping program reads the payments one by one, as CSV.
  const program = argv.find((word) =>
    /^(?:-o|--output)?=?(?:hledger|ledger|beancount|gnucash)$/.test(word),
  );
  if (program !== undefined && command.id.startsWith('report:')) {
    const rest = argv.filter((word) => word !== program && !/^(?:-o|--output)$/.test(word));
    const charges = corrected(source.command('report:charges'), [...rest, '-o', 'csv']);
    return `Did you mean ${charges} docs/bookkeeping.md has what each program needs to read it.`;
  }
  const line = corrected(command, argv);
  return / -o |--(?:html|xlsx|excel|json)\b/.test(line) ? `Did you mean ${line}` : undefined;
}

/**
 * @returns the line with the command's own names for what `--by` names, `brand` for `scheme`, or the report that has a row
 *   for each: `report customers` for `--by customer`
 */
function ofSums({ command, source }: Asked, argv: readonly string[]): string | undefined {
  const isValue = (at: number) => argv[at - 1] === '--by';
  const isBy = (word: string, at: number) => isValue(at) || /^--by(?:=|$)/.test(word);
  const typed = argv
    .filter((word, at) => isBy(word, at) && word !== '--by')
    .flatMap((word) => word.replace(/^--by=/, '').split(','));
  const rest = argv.filter((word, at) => !isBy(word, at));
  const all = typed.map((word) => {
    const plain = word.trim().toLowerCase().replaceAll(/[_ ]/g, '-');
    const names = [plain, plain.replace(/s$/, ''), plain.replace(/^card-/, '')];
    names.push(`card-${plain}`, `settlement-${plain}`);
    return [...names, ...names.flatMap((name) => nouns.get(name) ?? [])];
  });
  const options = command.flags.by?.options ?? [];
  const own = all.map((names) => names.find((name) => options.includes(name)));
  const by = own.flatMap((name) => (name === undefined ? [] : `--by=${name}`));
  if (by.length === all.length) return `Did you mean ${corrected(command, [...rest, ...by])}`;
  const ids = all.length === 1 ? all.flat().map((name) => `report:${name}s`) : [];
  const id = ids.find((one) => Object.hasOwn(source.index.commands, one));
  return id && `Did you mean ${corrected(source.command(id), rest)}`;
}

/** @returns the command that proposes what another one sends, for `--propose`; undefined if there is none */
function ofProposal({ command, source }: Asked, argv: readonly string[]): string | undefined {
  const id = `${command.id.split(':')[0]}:propose`;
  const rest = argv.filter((word) => word !== '--propose');
  const isMeant = rest.length < argv.length && Object.hasOwn(source.index.commands, id);
  return isMeant && !('propose' in command.flags)
    ? `Did you mean ${corrected(source.command(id), rest)}`
    : undefined;
}

/** @returns which command has the flags, if another one for the same noun or action has them */
function othersWith(unknown: readonly string[], { command, source }: Asked): string | undefined {
  if (unknown.length === 0) return undefined;
  const names = unknown.map((flag) => flag.replace(/^-+/, ''));
  const [noun, action] = command.id.split(':');
  const others = Object.keys(source.index.commands).filter((id) => {
    const [otherNoun, otherAction] = id.split(':');
    const isAlike = otherNoun === noun || (action !== undefined && otherAction === action);
    const isNear = id !== command.id && isAlike;
    return isNear && names.every((name) => name in source.command(id).flags);
  });
  const [first, ...more] = others.map((id) => `\`gw ${typedName(id)}\``);
  if (first === undefined || more.length > 2) return undefined;
  const last = more.pop();
  const all = last ? `${[first, ...more].join(', ')} and ${last} have` : `${first} has`;
  return `${all} ${unknown.join(', ')}. \`gw help ${typedName(command.id)}\` says what this one takes.`;
}

/** The flags for a value that is typed without one. */
const SIGNS = {
  ...{ 'decimal-amount': '{n}', 'start-date': '{d}', email: '{e}', to: '{u}' },
  ...{ 'forward-to': '{u}' },
};
/** The flag for any other value, of a command that has no argument. */
const NAME = { name: '{}' };

/** The commands that are about a profile, and have no argument. */
const OF_PROFILE = /^(?:doctor|whoami|ledger:status)$/;

/** @returns the command of the same noun whose action was typed behind another one: `customer create batch FILE` */
function siblingMeant({ command, source }: Asked, argv: readonly string[]): string | undefined {
  const [action = '', ...rest] = argv;
  const id = `${command.id.split(':')[0]}:${action}`;
  if (id === command.id || !Object.hasOwn(source.index.commands, id)) return undefined;
  return `Did you mean ${corrected(source.command(id), rest)}`;
}

/** @returns the report of the person whom words behind another one name */
function ofPerson({ command, source }: Asked, argv: readonly string[]): string | undefined {
  const line = reportOfPerson(source, command.id, argv);
  return line && `Did you mean ${line}`;
}

/** @returns what was meant, if its words are as many as the command takes */
function withOneArgument(command: KnownCommand, argv: readonly string[]): string | undefined {
  const named = withNameInOne(command, argv);
  const whole = [...withArguments(command, argv), ...(named ? [named] : [])]
    .map((words) => corrected(command, words))
    .find(isWhole);
  return whole && `Did you mean ${whole}`;
}

/** @returns what the words may mean, with a flag for one of them */
function withArguments(command: KnownCommand, argv: readonly string[]): (readonly string[])[] {
  const all = Object.keys(command.args).length === 0 ? { ...SIGNS, ...NAME } : SIGNS;
  const signs = Object.entries(all).flatMap(([name, sign]) =>
    name in command.flags ? [`--${name}`, sign] : [],
  );
  const profile = OF_PROFILE.test(command.id) ? ['--profile', '{}'] : signs;
  // `customer update C-1 card` says what is updated.
  const plain = argv.filter((word, at) => at === 0 || !/^(?:the|new|card)$/.test(word));
  return [argv, filled(profile, argv), plain];
}

/** @returns the words with those of one name in one, `theo reid`; undefined if they are none */
function withNameInOne({ args }: KnownCommand, argv: readonly string[]): string[] | undefined {
  const words = wordsBeforeFlags(argv);
  const isName =
    words.length > 1 &&
    Object.keys(args).length === 1 &&
    words.every((one) => /^\D+$/.test(one)) &&
    periodBehind(words).period === undefined &&
    !words.some((one) => NO_NAME.test(one));
  return isName ? [words.join(' '), ...argv.slice(words.length)] : undefined;
}

/** The argument of commands that change one record. */
const OF_RECORD = ['id', 'purchase'];

/** @returns the words with the name of the record that a command changes in one; undefined if they may mean something else */
function withRecordInOne(asked: Asked, argv: readonly string[]): string[] | undefined {
  const { command } = asked;
  const isOfRecord = OF_RECORD.some((name) => name in command.args) && command.strict !== false;
  if (!isOfRecord || (cannotSay(command.id, argv) ?? siblingMeant(asked, argv))) return undefined;
  const isOther = withArguments(command, argv).some((words) => isWhole(corrected(command, words)));
  return isOther ? undefined : withNameInOne(command, argv);
}

const isWhole = (line: string) => !line.endsWith(' takes.');

const GRAVE = /^(?:allow-|no-journal|yes$|full$|confirm$|retry-)/;

/** @returns oclif's message as a sentence, without the typed values: one may be a CVV */
function saidOf(error: ParseError, unknown: readonly string[], argv: readonly string[]): string {
  // oclif dims some of its messages on a terminal with colours.
  const text = withoutValues(stripVTControlCharacters(error.message), argv)
    .replace(/\nSee more help with --help$/, '')
    .replace(/^The following errors? occurred:\s*/, '');
  const [head = ''] = text.split(':');
  if (unknown.length > 0) return head;
  if (text.startsWith('Unexpected argument')) return `${head}${extraOf(text, argv)}.`;
  if (error.args) return `Missing: ${error.args.map(nameOf).join(', ')}.`;
  const lines = text
    .split('\n')
    .map((line) => line.trim().replace(/^Missing required flag /, 'Missing: --'));
  return `${lines.join('; ')}.`.replace(
    /(?<![\w-])(--[\w-]+) cannot also be provided when using (--[\w-]+)\.+/g,
    '$1 and $2 do not go together: leave one of them out.',
  );
}

/** @returns the arguments that are too much, if they are short words or files: others may be a token, a card or a CVV */
function extraOf(text: string, argv: readonly string[]): string {
  const extra = text
    .slice(text.indexOf(':') + 1)
    .trim()
    .split(/[\s,]+/);
  const shown = extra.filter((word) => argv.includes(word) && SHORT.test(word));
  return hasCardIn(argv) ? '' : shown.map((word) => ` \`${word}\``).join(',');
}

const SHORT = /^(?:[a-z]{1,15}|[a-z][\w-]{0,30}\.(?:csv|tsv|jsonl?|txt|xlsx))$/i;

const nameOf = (arg: unknown) => (arg as { name: string }).name.toUpperCase();

/** oclif writes a value as `--name=value `; a flag without a value has `true`. */
function withoutValues(text: string, argv: readonly string[]): string {
  return argv
    .flatMap((word) => [word, word.slice(2), word.slice(word.indexOf('=') + 1)])
    .concat('true', 'false')
    .sort((a, b) => b.length - a.length)
    .reduce((rest, value) => rest.replaceAll(`=${value} `, ' '), text);
}
