/**
 * Writes a command line as gw takes it, with the values that somebody typed in another one. It leaves out card data,
 * what looks like a secret, and what the command does not take.
 *
 * Tests: test/unit/cli/dispatch/typed-words.test.ts
 */
import { joinedPeriods, periodKind, rangeMeant } from '../../base/periods.ts';
import { commandText, shellWord } from '../../base/shell.ts';
import { holdsCardNumber } from '../../contract/cards/find-card-numbers.ts';
import { commandWords } from '../help/help-data.ts';
import { readWords, type TypedFlag } from './argv.ts';
import { fastPath } from './fast-path.ts';
import { flagMeant, type Known, type MeantFlag } from './flag-words.ts';

const CARD_DATA = new Set(['card-number', 'cvv']);
const KEY = /^(?:[srp]k|key|ghp|whsec)[-_]|_(?:live|test)_/i;
/** A key without a prefix. Ids, names and addresses have a dash, a point or an @. */
const LONG = /^(?=.*\d)(?=.*[a-z])[\w+/=]{24,}$/i;

/** @returns whether a word may be a secret, by its shape */
export const isSecret = (word: string) =>
  KEY.test(word) || LONG.test(word) || holdsCardNumber(word);

/** @returns whether words hold a card number, even a mistyped one in groups */
export const hasCardIn = (words: readonly string[]) =>
  holdsCardNumber(words.join(' ')) || /(?:\b\d{4}[ -]){3}/.test(words.join(' '));

const isWord = (text: string) => /^[\p{L}\d]/u.test(text);

/** @returns the words, with those of a period in one: `last month`; the words of an age are `--since=30d` */
export function withPeriods(typed: readonly string[]): string[] {
  const isPeriod = (text: string) =>
    text.split(' ').every(isWord) && (rangeMeant(text) ?? periodKind(text)) !== undefined;
  return joinedPeriods(typed, isPeriod).map((said) => {
    const age = rangeMeant(said);
    return age ? `--since=${age}` : said;
  });
}

/**
 * @param words those behind `report`
 * @returns the command for the time that they begin with, which nobody needs to call by its kind: `quarter` for `q1`
 */
export function reportOfTime(words: readonly string[]): string | undefined {
  const [time = ''] = withPeriods(words);
  return time.startsWith('--since=') && !words[0]?.startsWith('-') ? 'month' : periodKind(time);
}

/** @returns one name for all flags that say in which form a command prints */
const sameAs = (name: string) => (/^(?:excel|xlsx|html)$/.test(name) ? 'output' : name);

/**
 * @param typed the words after those of the command; of two equal flags, the first counts
 * @returns the line in backticks and a question mark, and then what it lacks
 */
export function corrected(command: Known, typed: readonly string[]): string {
  const { words, file, left } = renamed(command, isTimed(command) ? withPeriods(typed) : typed);
  const { flags, positionals } = readWords(words, command.flags);
  const isCard = ({ name, value = '' }: TypedFlag) => CARD_DATA.has(name) || holdsCardNumber(value);
  const hasCard = hasCardIn(positionals) || flags.some(isCard);
  const taken = flags.filter((flag) => !isCard(flag) && isTaken(command, flag));
  const isShown = (one: string) => !isSecret(one) && !(hasCard && /^[\d/-]+$/.test(one));
  const { given, dates } = dated(command, positionals.filter(isShown));
  const kept = [...taken, ...dates];
  const isFree = command.strict === false && !hasDate(command);
  const most = isFree ? given.length : Object.keys(command.args).length;
  const values = isSentence(command, given, most) ? [] : given.slice(0, most);
  const whole = textOf(command, values, kept);
  const line = whole ?? textOf(command, [], []);
  const isAll = whole !== undefined && left.length === 0 && given.length === values.length;
  const isWhole = isAll && taken.length === flags.filter((flag) => !isCard(flag)).length;
  const name = commandWords(command.id);
  return [
    `\`${line ?? `gw ${name}`}${file ? ` > ${shellWord(file)}` : ''}\`?`,
    ...(hasCard
      ? [`It leaves the card out${'cvv' in command.flags ? ': gw asks for it' : ''}.`]
      : []),
    ...(left.length > 0 ? [`It leaves out ${left.join(', ')}.`] : []),
    ...(isWhole ? [] : [`\`gw help ${name}\` says what it takes.`]),
  ].join(' ');
}

const hasDate = ({ args }: Known) => Object.keys(args)[0] === 'date';

/** Words that are no id belong to a sentence, and only its beginning would fit. */
const isSentence = (command: Known, [first = '', ...others]: readonly string[], most: number) =>
  hasDate(command) ? !periodKind(first) : others.length >= most && !/[\d@]/.test(first);

const isTimed = (command: Known) =>
  hasDate(command) ||
  ('since' in command.flags && (command.strict !== false || command.id.endsWith(':list')));

/** @returns the words with a period first for a command that takes one, and otherwise in flags */
function dated(command: Known, words: readonly string[]) {
  const least = hasDate(command) || command.strict === false ? 0 : Object.keys(command.args).length;
  const value = isTimed(command) ? words.slice(least).find((word) => periodKind(word)) : undefined;
  if (value === undefined) return { given: words, dates: [] };
  const [, ...more] = words.slice(least).filter((word) => periodKind(word));
  const end = more.at(-1);
  const given = words.filter((word) => word !== value && !more.includes(word));
  if (hasDate(command) && end === undefined) return { given: [value, ...given], dates: [] };
  const dates = Object.entries({ since: value, until: end ?? value })
    .filter(([name]) => name in command.flags)
    .map(([name, day]): TypedFlag => ({ name, isDenied: false, value: day, isInline: true }));
  return { given: dates.length > 0 ? given : words, dates };
}

const FORMAT = /^(?:csv|tsv|xlsx?|ods|excel|json|jsonl|ndjson|yaml|yml|html)$/;

const isFlag = (word: string) => /^-[^\d]/.test(word);

/** @returns the flag for a format that has the place of a value, as in `-o xlsx` and `export march xlsx` */
function formatMeant(command: Known, word: string | undefined): MeantFlag | undefined {
  const isTaken = FORMAT.test(word ?? '');
  const meant = isTaken ? flagMeant(command, `--${word}`) : undefined;
  return meant?.takes ? { ...meant, fixed: 'FILE' } : meant;
}

/**
 * @param value the next word, or what stands behind `=`
 * @returns the flag that lacks its dashes, as in `create dry-run`, `set currency AUD` and `set currency=AUD`, if the
 *   command takes no free words; else a value
 */
function wordMeant(command: Known, word: string, name: string, value: unknown): MeantFlag {
  const isFree = command.strict === false;
  const type = isFree ? undefined : command.flags[name]?.type;
  if (type === 'boolean' && word === name) return { name, takes: false };
  if (type === 'option' && value !== undefined) return { name, takes: true };
  const format = isFree && !hasDate(command) ? undefined : formatMeant(command, word);
  return { ...(format ?? { name: '$', fixed: word }), takes: false };
}

/** The sign of a flag that the command has nothing for. */
const LACKING = '-=';

/** The value of an unknown flag is left out too, because it may be a secret. */
const UNKNOWN: MeantFlag = { name: LACKING, takes: true };

/** A filter begins with a point; aws and az have it in --query. */
const JQ: MeantFlag = { name: 'jq', takes: true };

const flagTyped = (command: Known, flag: string, value: string | undefined) =>
  (flag === '--query' && value?.startsWith('.') && 'jq' in command.flags ? JQ : undefined) ??
  (value === undefined ? undefined : flagMeant(command, `${flag}=`)) ??
  flagMeant(command, flag) ??
  UNKNOWN;

type Read = readonly [name: string, value: string | undefined];

/**
 * @returns a flag and its value; the flag for a format that --output lacks, as in `-o xlsx`; or the sign of a flag that
 *   the command lacks, and how it was typed
 */
function ownRead(command: Known, typed: { name: string; flag: string }, value?: string): Read {
  const { name, flag } = typed;
  if (name === LACKING) return [name, flag];
  const isKnown = name !== 'output' || command.flags.output?.options?.includes(value ?? '');
  const meant = isKnown ? undefined : formatMeant(command, value);
  return [meant?.name ?? name, meant ? meant.fixed : value];
}

/** @returns the words with the parts of a person's name in two flags, if the command has these: `--name 'Theo Reid'` */
function withNames({ flags }: Known, typed: readonly string[]): readonly string[] {
  const at = typed.findIndex((word) => /^--(?:full-)?name(?:=|$)/.test(word));
  if (at === -1 || 'name' in flags || !('first-name' in flags)) return typed;
  const [, inline] = /=(.*)$/s.exec(typed[at] ?? '') ?? [];
  const [first = '', ...last] = (inline ?? typed[at + 1] ?? '').trim().split(/\s+/);
  const names = [
    `--first-name=${first}`,
    ...(last.length > 0 ? [`--last-name=${last.join(' ')}`] : []),
  ];
  return [...typed.slice(0, at), ...names, ...typed.slice(at + (inline === undefined ? 2 : 1))];
}

const DATA = /^(?:-[dFf]|--(?:data(?:-raw|-urlencode)?|form|field|raw-field))$/;
const PAIR = /^[a-z][a-z_.-]*=/i;

/** @returns the words with the fields that curl and gh take as flags of their own: `--amount=2000` for `-d amount=2000` */
function withFields({ flags }: Known, typed: readonly string[]): readonly string[] {
  if ('field' in flags) return typed;
  return typed.flatMap((word, at) => {
    if (DATA.test(word) && PAIR.test(typed[at + 1] ?? '')) return [];
    return PAIR.test(word) && DATA.test(typed[at - 1] ?? '') ? [`--${word}`] : [word];
  });
}

const SHEET = /^--(xlsx?|excel|ods|csv)(?:=(.*))?$/;
const SHEET_FILE = /\.(?:xlsx?|ods|csv)$/i;

/** @returns the words with the file of a form that the command does not write in a flag of its own: `--xlsx march.xlsx` */
function withFiles({ flags }: Known, typed: readonly string[]): readonly string[] {
  return typed.flatMap((word, at) => {
    const fileOf = (sheet: string | undefined, next = '') => {
      const [, form, inline = next] = SHEET.exec(sheet ?? '') ?? [];
      const isWritten = form !== 'csv' && 'xlsx' in flags;
      return form !== undefined && !isWritten && SHEET_FILE.test(inline)
        ? { form, file: inline.replace(SHEET_FILE, '.csv') }
        : undefined;
    };
    const own = fileOf(word, typed[at + 1]);
    if (own) return [`--${own.form}`, `--to-file=${own.file}`];
    return fileOf(typed[at - 1], word) && !typed[at - 1]?.includes('=') ? [] : [word];
  });
}

/** @returns each flag by its own name or its sign, with its value, or with its typed name if the command lacks it */
function readFlags(command: Known, typed: readonly string[]): readonly Read[] {
  const queue = [...withNames(command, withFiles(command, withFields(command, typed)))];
  const read: Read[] = [];
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    const [, flag = '', inline] = /^([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    const next = isFlag(queue[0] ?? '--') ? undefined : queue[0];
    const { name, takes, fixed } = isFlag(word)
      ? flagTyped(command, flag, inline ?? next)
      : wordMeant(command, word, flag, inline ?? next);
    const isNext = takes && inline === undefined && next !== undefined;
    const value = isNext ? queue.shift() : inline;
    read.push(ownRead(command, { name, flag }, takes ? value : fixed));
  }
  return read;
}

/**
 * @returns the words with the command's own names of flags, each in one word with its value, and the flags that the
 *   command has nothing for
 */
function renamed(command: Known, typed: readonly string[]) {
  const read = readFlags(command, typed);
  const valuesOf = (sign: string) =>
    read.filter(([name]) => name === sign).map(([, value]) => value ?? '');
  const words = read.flatMap(([name, value]) => {
    if (/^\W/.test(name)) return name === '$' && value ? [value] : [];
    return value === undefined ? `--${name}` : `--${name}=${value}`;
  });
  const left = valuesOf(LACKING).map((flag) => (isSecret(flag) ? '***' : flag));
  return { words: [...valuesOf('^'), ...words], file: valuesOf('>')[0], left };
}

function isTaken({ flags }: Known, { name, value }: TypedFlag): boolean {
  const { options } = flags[name] ?? {};
  return value === undefined || (!KEY.test(value) && (!options || options.includes(value)));
}

/** @returns the line, with the names of what it needs; undefined if gw would not take it */
function textOf({ id, args, flags, strict }: Known, values: readonly string[], typed: TypedFlag[]) {
  const left = Object.entries(args).slice(values.length);
  const given = [
    ...values,
    ...left.flatMap(([name, arg]) => (arg.required ? name.toUpperCase() : [])),
  ];
  const pairs = typed
    .filter(
      ({ name }, at) =>
        flags[name]?.multiple || typed.findIndex((one) => sameAs(one.name) === sameAs(name)) === at,
    )
    .map(({ name, value = name === 'html' ? 'FILE' : name.toUpperCase(), isDenied }) => {
      return [name, flags[name]?.type === 'boolean' ? !isDenied : value] as const;
    });
  const words = pairs.map(([name, value]) =>
    typeof value === 'string' ? `--${name}=${value}` : `--${value ? '' : 'no-'}${name}`,
  );
  if (!fastPath([...given, ...words], { args, flags, strict })) return undefined;
  return commandText([...id.split(':'), ...given], pairs);
}
