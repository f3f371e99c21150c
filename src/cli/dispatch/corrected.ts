/**
 * Writes a command line as gw takes it, with the values that somebody typed in another one. It leaves out card data,
 * what looks like a secret, and what the command does not take.
 *
 * Tests: test/unit/cli/dispatch/typed-words.test.ts
 */
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

/**
 * @param typed the words after those of the command; of two equal flags, the first counts
 * @returns the line in backticks and a question mark, and then what it lacks
 */
export function corrected(command: Known, typed: readonly string[]): string {
  const { words, file, isLess } = renamed(command, typed);
  const { flags, positionals } = readWords(words, command.flags);
  const isCard = ({ name, value = '' }: TypedFlag) => CARD_DATA.has(name) || holdsCardNumber(value);
  const hasCard = hasCardIn(positionals) || flags.some(isCard);
  const kept = flags.filter((flag) => !isCard(flag) && isTaken(command, flag));
  const isShown = (one: string) => !isSecret(one) && !(hasCard && /^[\d/-]+$/.test(one));
  const given = positionals.filter(isShown);
  const most = command.strict === false ? given.length : Object.keys(command.args).length;
  // Words that are no id belong to a sentence, and only its beginning would fit.
  const values = given.length > most && !/[\d@]/.test(given[0] ?? '') ? [] : given.slice(0, most);
  const whole = textOf(command, values, kept);
  const line = whole ?? textOf(command, [], []);
  const isAll = whole !== undefined && !isLess && given.length <= most;
  const isWhole = isAll && kept.length === flags.filter((flag) => !isCard(flag)).length;
  const name = commandWords(command.id);
  return [
    `\`${line ?? `gw ${name}`}${file ? ` > ${shellWord(file)}` : ''}\`?`,
    ...(hasCard
      ? [`It leaves the card out${'cvv' in command.flags ? ': gw asks for it' : ''}.`]
      : []),
    ...(isWhole ? [] : [`\`gw help ${name}\` says what it takes.`]),
  ].join(' ');
}

const isFlag = (word: string) => /^-[^\d]/.test(word);

/** @returns the flag that lacks its dashes, as in `create dry-run`, if the command takes no free words; else a value */
const wordMeant = ({ flags, strict }: Known, word: string): MeantFlag =>
  strict !== false && flags[word]?.type === 'boolean'
    ? { name: word, takes: false }
    : { name: '$', takes: false, fixed: word };

/** The value of an unknown flag is left out too, because it may be a secret. */
const UNKNOWN: MeantFlag = { name: '-=', takes: true };

/** @returns the words with the command's own names of flags, each in one word with its value */
function renamed(command: Known, typed: readonly string[]) {
  const queue = [...typed];
  const read: (readonly [name: string, value: string | undefined])[] = [];
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    const [, flag = '', inline] = /^([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    const { name, takes, fixed } = isFlag(word)
      ? (flagMeant(command, flag) ?? UNKNOWN)
      : wordMeant(command, word);
    const isNext = takes && inline === undefined && !isFlag(queue[0] ?? '--');
    read.push([name, takes ? (isNext ? queue.shift() : inline) : fixed]);
  }
  const valuesOf = (sign: string) =>
    read.filter(([name]) => name === sign).map(([, value]) => value ?? '');
  const words = read.flatMap(([name, value]) => {
    if (/^\W/.test(name)) return name === '$' && value ? [value] : [];
    return value === undefined ? `--${name}` : `--${name}=${value}`;
  });
  const isLess = valuesOf('-=').length > 0;
  return { words: [...valuesOf('^'), ...words], file: valuesOf('>')[0], isLess };
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
      ({ name }, at) => flags[name]?.multiple || typed.findIndex((one) => one.name === name) === at,
    )
    .map(({ name, value = name.toUpperCase(), isDenied }) => {
      return [name, flags[name]?.type === 'boolean' ? !isDenied : value] as const;
    });
  const words = pairs.map(([name, value]) =>
    typeof value === 'string' ? `--${name}=${value}` : `--${value ? '' : 'no-'}${name}`,
  );
  if (!fastPath([...given, ...words], { args, flags, strict })) return undefined;
  return commandText([...id.split(':'), ...given], pairs);
}
