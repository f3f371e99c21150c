/**
 * Finds what a user probably meant by words that gw does not know. Nothing is run on a guess.
 *
 * Tests: test/unit/cli/dispatch/typed-words.test.ts
 */
import { nearest } from '../../base/nearest.ts';
import { periodKind } from '../../base/periods.ts';
import { shellWord } from '../../base/shell.ts';
import { parseFault } from '../../contract/faults.ts';
import { kindOfId } from '../../contract/record.ts';
import { commandWords, type HelpIndex, type HelpSource } from '../help/help-data.ts';
import { wordsBeforeFlags } from './argv.ts';
import { cannotSay } from './cannot.ts';
import { corrected, hasCardIn, isSecret, withPeriods } from './corrected.ts';
import { flagMeant } from './flag-words.ts';
import { actions, meanings, nouns, states } from './words.ts';

/** The shortest beginning of a word that is completed; a shorter one fits too many words. */
const MIN_BEGINNING = 3;

/**
 * Goes by letters alone.
 * @param words the words that were typed
 * @param names the names that may be meant, word by word
 * @returns the meant words, as far as they are clear; otherwise empty
 */
export function nearestName(words: readonly string[], names: readonly string[]): string[] {
  const meant: string[] = [];
  for (const word of words) {
    const start = meant.map((known) => `${known} `).join('');
    const next = names
      .filter((name) => name.startsWith(start))
      .map((name) => name.slice(start.length).split(' ')[0] ?? '');
    const found = nearestWord(word, next);
    if (found === undefined) break;
    meant.push(found);
  }
  return meant;
}

/** @returns the word itself, otherwise the only one that begins with it, otherwise the nearest */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  if (known.includes(word)) return word;
  const [begun, other] = new Set(known.filter((name) => name.startsWith(word)));
  return word.length >= MIN_BEGINNING && begun && !other ? begun : nearest(word, known);
}

/** Names of commands and topics. */
export const namesOf = ({ commands, topics }: HelpIndex) =>
  [...Object.keys(commands), ...Object.keys(topics)].map(commandWords);

/**
 * @param words the words typed after `gw`, or after `gw help`
 * @param wantsHelp whether the page of a command is wanted, and not the command
 * @returns sentences that name the whole command, or say what gw cannot do; undefined if no table has the words
 */
export function meantByTables(
  source: HelpSource,
  typed: readonly string[],
  wantsHelp: boolean,
): string | undefined {
  const plain = plainWords(typed);
  const [method = '', path] = plain;
  if (/^(?:get|post|put|patch|delete)$/i.test(method) && path?.startsWith('/'))
    return `Did you mean ${corrected(source.command('api'), plain)}`;
  const phrase = phraseOf(plain);
  // `purchase crate` has a wrong letter, and not the id of a purchase.
  const names = wordsBeforeFlags(plain).filter((word) => periodKind(word) === undefined);
  const near = nearestName(names, namesOf(source.index));
  const { count } = phrase;
  const isNear = near.length > count || (count > 1 && near.join() === plain.slice(0, count).join());
  const meant = isNear ? undefined : meaningOf(phrase, source.index);
  const rest = withNameInOne(phrase.rest, meant);
  const values = hasCardIn(rest) ? [] : wordsBeforeFlags(rest);
  const value = values.find((word) => !isSecret(word) && !isDecimal(word));
  if (meant === undefined) return undefined;
  if (/^(?:[A-Z`]|gw )/.test(meant)) return sentenceOf(meant, wantsHelp ? 'ID' : value, rest);
  const all = wordsOf(isOfPayments(value, meant) ? 'reconcile {}' : withOwner(meant, value), {
    plain,
    rest,
  });
  const ids = [3, 2, 1].map((length) => all.slice(0, length).join(':'));
  const id = ids.find((one) => Object.hasOwn(source.index.commands, one));
  if (id === undefined) return `Did you mean \`gw ${all.join(' ')}\`?`;
  if (wantsHelp) return `Did you mean \`gw help ${commandWords(id)}\`?`;
  if (isGraveQuestion(source, id, typed)) return undefined;
  return proposalOf(source, id, { rest, behind: all.slice(id.split(':').length) });
}

/** Whoever asks a question wants nothing to be sent. */
const isGraveQuestion = ({ index }: HelpSource, id: string, [first = '']: readonly string[]) =>
  [...index.charging, ...index.erasing].includes(id) && QUESTION.test(first);

/** @returns the words of a line of the tables, of which a report has the typed period */
function wordsOf(line: string, { plain, rest }: Record<'plain' | 'rest', readonly string[]>) {
  const isDivided =
    plain.includes('--by') && /^(?:purchase|refund|journal|report charges) /.test(line);
  const report = `report ${reportOf(rest)}`;
  // An event has a number, and a list searches for anything else.
  const isList =
    (line === 'events get' && !wordsBeforeFlags(rest).some((one) => /^\d+$/.test(one))) ||
    (line === 'listen' && withPeriods(rest).some(periodKind));
  if (isList) return ['events', 'list'];
  return (isDivided ? report : line.replace(/^report month/, report)).split(' ');
}

/** @returns a sentence of the tables with what was typed in place of its signs */
function sentenceOf(meant: string, value = 'ID', rest: readonly string[] = []): string {
  const period = [reportOf(rest), ...withPeriods(rest).filter(periodKind)].join(' ');
  return meant.replaceAll('{}', () => shellWord(value)).replace('{period}', () => period);
}

/** @returns whether a word is the name of a file with rows */
export const isFileOfRows = (word: string) => /\.(?:csv|tsv|xlsx|jsonl)$/i.test(word);

/** @returns whether a value is a file of payments, of which somebody asks what became of each */
const isOfPayments = (value = '', meant: string) =>
  isFileOfRows(value) &&
  /^(?:purchase (?:list|get)|refund (?:list|get)|report |find|get|doctor|history|explain)/.test(
    meant,
  ) &&
  !/^(?:customer|plan|card|subscription)$/.test(kindOfFile(value) ?? '');

const QUESTION = /^(?:how|what|when|who|whose|whom|which|did|does|do|is|are|was|were)$/i;

/** @param words those that were typed behind what names the command, and those of its meaning */
function proposalOf(
  source: HelpSource,
  id: string,
  { rest, behind }: Record<'rest' | 'behind', readonly string[]>,
): string {
  const cannot = cannotSay(id, rest);
  if (cannot !== undefined) return cannot;
  const words = filled(behind, rest);
  return `Did you mean ${lineOf(source, id, { typed: rest, words })}`;
}

/** Lines about a record of a person, who may be named in its place. */
const OF_PERSON = /^(?:refund create \{\}|`gw subscription )/;
const NAME = /^\p{L}[\p{L}\p{M}'.-]*$/u;

/** @returns the words behind what is meant, with a name of two or three in one: `3.75` and `alice ferguson` */
function withNameInOne(words: readonly string[], meant = ''): readonly string[] {
  const values = wordsBeforeFlags(words);
  const start = values.findIndex((word) => NAME.test(word));
  const end = values.findIndex((word, at) => at > start && !NAME.test(word));
  const length = (end === -1 ? values.length : end) - start;
  if (!OF_PERSON.test(meant) || start === -1 || (length !== 2 && length !== 3)) return words;
  return words.toSpliced(start, length, values.slice(start, start + length).join(' '));
}

/** @returns the command with its words as `corrected`; for a forecast of a person, the command that shows them */
function lineOf(
  source: HelpSource,
  id: string,
  { typed, words }: Record<'typed' | 'words', readonly string[]>,
): string {
  const due = id === 'report:forecast' ? dueOf(source, typed) : undefined;
  return due ?? reportOfPerson(source, id, typed) ?? corrected(source.command(id), words);
}

/** Words that choose among the records of a person, or name a sum, and are no part of a name. */
export const NO_NAME =
  /^(?:approved|declined|failed|refunded|paid|unpaid|active|stopped|all|last|latest|today|yesterday|json|csv|html|pdf|gross|net|volume|per|by|from|since|until|between|each|every)$/i;

/**
 * @param id of a report @param typed the words behind it
 * @returns the report of the person whom they name, by an email or two names, as `corrected`; undefined if they name none
 */
export function reportOfPerson(
  source: HelpSource,
  id: string,
  typed: readonly string[],
): string | undefined {
  if (!/^report:(?:day|week|month|quarter|year|refunds|doubles|declines|charges)$/.test(id))
    return undefined;
  const said = withPeriods(typed);
  const names = wordsBeforeFlags(said).filter((word) => periodKind(word) === undefined);
  const isNamed = names.every((one) => NAME.test(one) && !NO_NAME.test(one) && !isMeant(one));
  const isEmail = names.length === 1 && names[0]?.includes('@');
  if (!isEmail && !(isNamed && (names.length === 2 || names.length === 3))) return undefined;
  const rest = said.filter((word) => !names.includes(word));
  if ('customer' in source.command(id).flags)
    return corrected(source.command(id), [`--customer=${names.join(' ')}`, ...rest]);
  return id === 'report:refunds'
    ? corrected(source.command('report:charges'), [
        ...[`--customer=${names.join(' ')}`, '--refunds'],
        ...rest,
      ])
    : corrected(source.command('report:customer'), [...names, ...rest]);
}

/** @returns the place of the flag that names a customer, in whatever word; -1 if there is none */
export function placeOfCustomer(source: HelpSource, typed: readonly string[]): number {
  const charges = source.command('report:charges');
  return typed.findIndex(
    (word) =>
      word.startsWith('-') && flagMeant(charges, word.replace(/=.*$/s, ''))?.name === 'customer',
  );
}

/**
 * Only the record of a customer tells what is due of one.
 * @returns the command that shows the person whom words or a flag name, as `corrected`; undefined if they name none
 */
export function dueOf(source: HelpSource, typed: readonly string[]): string | undefined {
  const at = placeOfCustomer(source, typed);
  // Other words may be those of a period.
  const named =
    at < 0
      ? wordsBeforeFlags(typed).filter((word) => word.includes('@') && !isSecret(word))
      : typed.slice(at, typed[at]?.includes('=') ? at + 1 : at + 2);
  return named.length === 0 ? undefined : corrected(source.command('get'), named);
}

const GROUPING = /^(?:day|week|month|card|brand|plan|operator)$/;

/** Kinds of record of which people name several by a word before: `failed payments`, `5 customers`. */
const LISTED = /^(?:purchase|refund|customer|subscription)$/;

/**
 * @returns the words of one in two, as in `update-card`; `--by card` for `by card`; flags for what is said of several
 *   records, as in `failed payments`; and `report` before a period that stands alone
 */
function plainWords(typed: readonly string[]): readonly string[] {
  const said: string[] = [];
  const words = typed.flatMap((word, at) => {
    const next = meaningIn(typed[at + 1]?.toLowerCase() ?? '');
    const [state] = states.get(word.toLowerCase()) ?? [];
    const isSaid = next?.isMany && LISTED.test(next.noun ?? '');
    const flag = /^\d{1,4}$/.test(word) ? `--limit=${word}` : state && `--outcome=${state}`;
    if (isSaid && flag) said.push(flag);
    return isSaid && flag ? [] : partsOfWord(word, typed[at + 1]);
  });
  const [first = ''] = withPeriods(words);
  const isPeriod = first.startsWith('--since=') || periodKind(first) !== undefined;
  const isAlone = isPeriod && !words[0]?.startsWith('-');
  return [...(isAlone ? ['report'] : []), ...words, ...said];
}

/** @param next the word behind */
function partsOfWord(word: string, next = ''): readonly string[] {
  if (word === 'by' && GROUPING.test(next)) return ['--by'];
  const parts = word.toLowerCase().split(/[-:]/);
  const isPair = parts.length === 2 && !isMeant(word) && parts.every(isMeant);
  return isPair ? parts : [word];
}

const isMeant = (word: string) => meaningIn(word.toLowerCase().replaceAll('_', '-')) !== undefined;

/** @param typed the words behind `report` @returns the kind of the period that they name */
function reportOf(typed: readonly string[]): string {
  const kinds = withPeriods(typed).map(periodKind);
  return kinds.find((kind) => kind !== undefined) ?? 'month';
}

/** An email or a name is that of a customer, whose last purchase is meant. */
const withOwner = (meant: string, value = '') =>
  /@|^[\p{L}\p{M}' .-]+$/u.test(value)
    ? meant.replace(/^(refund create) (?=\{\})/, '$1 --last-of ')
    : meant;

/**
 * @param meant the words of a meaning behind the command (words.ts)
 * @param typed the words behind those that have the meaning
 * @returns the typed words and those of the meaning, with typed values in place of its signs
 */
export function filled(meant: readonly string[], typed: readonly string[]): readonly string[] {
  const [rest, first, words] = [[...typed], [] as string[], [] as string[]];
  for (const word of meant) {
    const flag = words.at(-1)?.startsWith('-') ? words.at(-1) : undefined;
    const at = word.startsWith('{') ? placeOf(word, flag, wordsBeforeFlags(rest)) : -1;
    if (!word.startsWith('{')) words.push(word);
    else if (at >= 0) (flag ? words : first).push(...rest.splice(at, 1));
    else if (flag) words.pop();
  }
  return [...first, ...rest, ...words];
}

const AMOUNT = /^(?:[a-z]{0,2}\p{Sc})?\d{1,9}(?:\.\d{1,3})?$/iu;
const isDecimal = (word: string) => AMOUNT.test(word) && /\D/.test(word);

/** @returns the place of the value for a sign; -1 if there is none. A whole number beside a card may be its CVV */
function placeOf(sign: string, flag: string | undefined, values: readonly string[]): number {
  const isMoney = (one: string) => AMOUNT.test(one) && (/\D/.test(one) || !hasCardIn(values));
  if (sign === '{n}') return values.findIndex(isMoney);
  if (sign === '{d}') return values.findIndex((one) => /^\d{4}-\d\d-\d\d$/.test(one));
  if (sign === '{e}') return values.findIndex((one) => one.includes('@'));
  if (sign === '{c}') return values.findIndex((one) => /[@\p{Lu}-]/u.test(one) && !isDecimal(one));
  if (sign === '{u}') return values.findIndex((one) => /^https?:\/\//i.test(one));
  const at = values.findIndex((one) => !isDecimal(one));
  const value = values[at] ?? '';
  const isRecord = value.includes('@') || kindOfId(value) !== undefined || hasCardIn(values);
  return flag === '--card-token' && isRecord ? -1 : at;
}

/** An unknown action is no part of a record's name: `customer frobnicate C-1015`. */
function isActionUnknown({ actions: acts, rest }: Phrase): boolean {
  const [word = '', value = ''] = wordsBeforeFlags(rest);
  const isRecord = /[\d@]/.test(value) && !AMOUNT.test(value);
  return acts.length === 0 && /^[a-z]+$/.test(word) && isRecord;
}

interface Phrase {
  noun: string | undefined;
  actions: readonly string[];
  /** Whether the noun is a plural. */
  isMany: boolean;
  /** The number of words that have it. */
  count: number;
  /** The words behind. */
  rest: readonly string[];
}

/** Words that say nothing, and the names of programs. */
export const SMALL =
  'a an the my me we us our i you all of for to by with and this that it in what which how much whose please was is did do does app gw gh stripe'.split(
    ' ',
  );

/** @returns the words behind, without `card` in `customer update card 071-C-…`, which says what is updated, and without small ones */
function restOf(words: readonly string[], action: Meaning | undefined): readonly string[] {
  const isSaid =
    action && nouns.get(words[0] ?? '')?.[0] === 'card' && /^[^-]/.test(words[1] ?? '');
  const rest = isSaid ? words.slice(1) : words;
  // In `refund 4.50 to ada` and `move SUB-1 to gold` the word between says nothing.
  const small = hasAmount(rest) ? SMALL : ['to', 'for'];
  const count = wordsBeforeFlags(rest).length;
  const isBeforeTime = (word: string, at: number) =>
    /^(?:in|on|from|during)$/i.test(word) &&
    [1, 2].some((length) => periodKind(rest.slice(at + 1, at + 1 + length).join(' ')));
  const isSmall = (word: string, at: number) =>
    small.includes(word) || (at === 0 && word === 'of') || isBeforeTime(word, at);
  return rest.filter((word, at) => at >= count || !isSmall(word, at));
}

const hasAmount = (words: readonly string[]) => words.some((word) => AMOUNT.test(word));

/** @returns whether a word is trouble that the test gateway makes: `simulate timeout` */
const isFault = ({ last, action }: ReturnType<typeof partsOf>, word = '') =>
  (action?.actions?.includes('trigger') || last?.noun === 'emulator') && !!parseFault(word);

/** @returns the kind of record that an id has; many references of subscriptions begin in the same way */
const kindNamed = (text: string) =>
  kindOfId(text) ?? (/^sub[-_]/i.test(text) ? 'subscription' : undefined);

/** @returns the kind of record that a file is called by: `customers.csv` */
function kindOfFile(text: string): string | undefined {
  const file = text.split(/[/\\]/).at(-1) ?? '';
  const [name = ''] = /^\p{L}+/u.exec(file) ?? [];
  return isFileOfRows(file) ? meaningIn(name.toLowerCase())?.noun : undefined;
}

/**
 * @param rest the words behind
 * @returns a word of a time, which is no noun beside another: `yesterday`; `--by=day` for `daily` before another time
 */
function timesIn(word: string, rest: readonly string[]): readonly string[] {
  const { noun = '' } = meaningIn(word.toLowerCase()) ?? {};
  if (!TIME.test(noun)) return [];
  if (!/ly$|^annual$/i.test(word)) return [word];
  const kinds = withPeriods(wordsBeforeFlags(rest)).map(periodKind);
  return kinds.some((kind) => kind !== undefined && kind !== noun) ? [`--by=${noun}`] : [];
}

/** Reads a noun and an action in any order: `purchase refund`, `list refunds`. */
function phraseOf(words: readonly string[]): Phrase {
  const { found, count: read } = meaningsAtStart(words);
  const parts = partsOf(found);
  const { first, last, action, isMany } = parts;
  const behind = words.slice(read);
  const times = TIME.test(last?.noun ?? 'day')
    ? []
    : words.slice(0, read).flatMap((word) => timesIn(word, behind));
  const rest = restOf([...times, ...behind], action);
  const count = words.length - rest.length + times.length;
  const [value = ''] = rest;
  if (isFault(parts, value)) return { noun: 'fault', isMany, count, rest, actions: [] };
  const noun = last?.noun ?? kindSaid(value, action?.actions?.[0]);
  if (action) return { noun, isMany, count, rest, actions: action.actions ?? [] };
  // In `refund purchase`, the first word says what to do; `customer subscriptions` are those of a customer.
  const isWord = words[0] === noun && /^[a-z-]+$/.test(value) && !hasAmount(rest);
  const isSaid = first && !isMany && !first.isMany && !isWord;
  const actions = first === last && noun === kindNamed(value) ? ['get'] : first?.actions;
  return { noun, isMany, count, rest, actions: (isSaid && actions) || [] };
}

/** A file or a search is not what the id of a record would be for. */
const kindSaid = (value: string, action = '') =>
  /^(?:batch|create|list|search|export)$/.test(action)
    ? kindOfFile(value)
    : (kindNamed(value) ?? kindOfFile(value));

/** @returns what the first words mean, up to a noun and an action, and how many words these are */
function meaningsAtStart(words: readonly string[]): { found: readonly Meaning[]; count: number } {
  const plain = words.map((word) => word.toLowerCase().replaceAll('_', '-'));
  const found: Meaning[] = [];
  let count = 0;
  while (count < words.length && !isWhole(found)) {
    const [word = '', after] = plain.slice(count);
    const pair = meaningIn(`${word}-${after}`);
    const { one, isTime, isSmall } = readWord(word, after, found.length > 0);
    if (isTime) break;
    if (one) found.push(one);
    else if (!isSmall) break;
    count += pair ? 2 : 1;
  }
  return { found, count };
}

/** @param isLater whether a word before it has a meaning */
function readWord(word: string, after: string | undefined, isLater: boolean) {
  // In `due next month`, `due next 3 months` and `last week`, the first of them says when.
  const isWhen = /^(?:next|last) (?:\d|day|week|month|quarter|year)/.test(`${word} ${after}`);
  // In `refund last payment of ada`, the word says which one.
  const isWhich = word === 'last' && isLater;
  return {
    one: isWhich ? undefined : (meaningIn(`${word}-${after}`) ?? meaningIn(word)),
    isTime: isWhen && (isLater || word === 'last'),
    isSmall: isWhich || SMALL.includes(word),
  };
}

const TIME = /^(?:day|yesterday|week|month|quarter|year)$/;

function partsOf(all: readonly Meaning[]) {
  // In `refunds yesterday`, the time says which refunds.
  const others = all.filter(({ noun }) => !TIME.test(noun ?? ''));
  const found = others.some(({ noun }) => noun) ? others : all;
  const first = found.find(({ noun }) => noun);
  const action = found.find((one) => one !== first && one.actions);
  const last = found.findLast((one) => one.noun && one !== action);
  return { first, action, last, isMany: last?.isMany ?? false };
}

function isWhole(found: readonly Meaning[]): boolean {
  const { first, action } = partsOf(found);
  return first !== undefined && action !== undefined;
}

export interface Meaning {
  noun: string | undefined;
  /** None of a noun in the plural. */
  actions: readonly string[] | undefined;
  isMany: boolean;
}

/** @returns what a word means, in the singular or the plural; undefined if no table has it */
export function meaningIn(word: string): Meaning | undefined {
  const forms = [word, word.replace(/s$/, ''), word.replace(/ies$/, 'y'), word.replace(/es$/, '')];
  const form = forms.find((one) => nouns.has(one) || actions.has(one));
  if (form === undefined) return undefined;
  const [noun] = nouns.get(form) ?? [];
  const isMany = form !== word;
  return { noun, actions: noun && isMany ? undefined : actions.get(form), isMany };
}

/** @returns the command or the sentence of the first action that has one */
function meaningOf(phrase: Phrase, { commands }: HelpIndex) {
  const { noun, actions: acts, isMany, rest } = phrase;
  if ((noun === undefined && acts.length === 0) || isActionUnknown(phrase)) return undefined;
  const said = withPeriods(wordsBeforeFlags(rest));
  const hasValue = said.some(
    (word) => !word.startsWith('-') && !periodKind(word) && !SMALL.includes(word),
  );
  const isPlain = acts.length === 0 && !meanings.has(`${noun} *`);
  const plainly = isMany || !hasValue ? 'list' : 'get';
  // `charges retrieve 071-P-…` asks for one record, and `show purchases` for all.
  const isOne = said.some((word) => /\d/.test(word) && !periodKind(word) && !AMOUNT.test(word));
  // New customers are those of a time.
  const some = isMany && acts.length > 1 ? acts.filter((act) => act !== 'create') : acts;
  const done = isPlain || (isMany && some[0] === 'get' && !isOne) ? [plainly] : some;
  const own = done.map((act) => `${noun ?? '*'} ${act}`);
  const pair = [...own, `${noun} *`, ...done.map((act) => `* ${act}`), `${noun} list`].find(
    (one) => meanings.has(one) || Object.hasOwn(commands, one.replace(' ', ':')),
  );
  const [valued, none = valued] = (pair && (meanings.get(pair) ?? pair))?.split(' | ') ?? [];
  return hasValue ? valued : none;
}
