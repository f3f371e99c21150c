/**
 * The searchable texts of a thing in any store: its exact names, its words, the beginnings of its people's names,
 * and the second that orders it. They are made from the columns of its row, so a file stores them only in its indexes.
 * Whoever changes a rule here raises the form of the ledger: gw takes out of the indexes of a file what it makes again.
 *
 * Tests: test/unit/things/search-cases.ts, test/unit/things/rebuilt.test.ts
 */

import { currencyExponent, USUAL_EXPONENT } from '../contract/currency.ts';
import { formatDecimal } from '../contract/money.ts';
import { beginningsOf } from './name-beginnings.ts';
import { fold, foldedForms, partsOf, spellings } from './normalise.ts';
import { idsOf } from './sources.ts';
import { type IndexedThing, LASTING, type SourceIds, type ThingKind } from './thing.ts';

/** In the year 2242. Up to then the thing number that SQLite derives from it is exact. */
const LAST_SECOND = 2 ** 33 - 2;
/** A longer text is only found by its beginning. */
const MAX_WORD = 200;

/** @param at ISO 8601 @returns the second, limited to the index's range; 0 if it is no date */
export function secondOf(at: string): number {
  const milliseconds = Date.parse(at);
  if (Number.isNaN(milliseconds)) return 0;
  return Math.min(Math.max(0, Math.floor(milliseconds / 1_000)), LAST_SECOND);
}

/** A row as its texts are made from it: how it was made does not matter. */
export type SearchableRow = Omit<IndexedThing, 'sources'>;

/**
 * @param ids the sources of the thing
 * @returns the names that find a thing exactly, folded, without repeats; names of people also without special
 *   letters
 */
export function keysOf(row: SearchableRow, { requests, events }: SourceIds): string[] {
  const { kind, id, reference, email, token, purchase, customer, subscription, plan } = row;
  const people = peopleOf(row);
  const names = [id, reference, email, token, purchase, customer, subscription, plan];
  const tokens = kind === 'customer' ? [token, ...row.formerTokens] : [];
  if (kind === 'plan') names.push(row.who);
  if (LASTING.includes(kind))
    for (const name of [id, reference, ...tokens]) if (name) names.push(keyOfName(kind, name));
  if (requests && kind !== 'request') names.push(...requests);
  if (events) names.push(...events.map(keyOfEvent));
  return [
    ...new Set([
      ...folded([...names, ...tokens, ...row.keys, ...people].flatMap(spellings)),
      ...writtenOut(people),
      ...nameWords(row).map(keyOfWord),
    ]),
  ];
}

/** @returns the same for a row with its sources */
export function keysOfThing(thing: IndexedThing): string[] {
  return keysOf(thing, idsOf(thing.sources));
}

/** @returns the key by which the things that an event tells of are found */
export function keyOfEvent(number: number): string {
  return `#${number}`;
}

/** @returns the key by which lasting things of a kind are found by their id or reference, and customers by their present and former tokens */
export function keyOfName(kind: ThingKind, name: string): string {
  return `${kind} ${name}`;
}

/** A sign that nobody types, before a word of a name. */
const WORD = '\u0006';
/** Shorter words are one letter away from too many others. */
const SHORTEST_WORD = 3;

/** @returns the key that things have by a word of a person's or plan's name (src/desk/query/readings.ts) */
export function keyOfWord(word: string): string {
  return WORD + word;
}

/** @returns the words of names, and the parts of emails; what belongs to a customer leaves them to the customer, who has them once */
function nameWords(row: SearchableRow): string[] {
  if (row.customer !== null && row.kind !== 'customer') return [];
  const names = row.kind === 'plan' ? [row.who] : peopleOf(row);
  const words = [...folded(names.flatMap(spellings)), ...writtenOut(names)].flatMap((name) => [
    ...name.split(' '),
    ...partsOf(name),
  ]);
  words.push(...folded(row.email?.split('@') ?? []));
  return words.filter((word) => [...word].length >= SHORTEST_WORD);
}

/** @returns the key that a thing has by one of its names */
export function keyOf(name: string): string {
  return folded([name])[0] ?? '';
}

/** Signs that nobody types, before marks of the kind and the outcome. */
const MARKS = { kind: '\u0004', outcome: '\u0005' } as const;

/**
 * @returns three characters that the texts of all things of a kind or outcome have, so that a search reads few others;
 *   two outcomes may share them
 */
export function searchMark(field: keyof typeof MARKS, value: string): string {
  const sign = MARKS[field];
  return [sign, ...fold(value), sign, sign].slice(0, 3).join('');
}

/**
 * @returns a thing's text: its words, its marks, and last the beginnings of its names. Each line also has a line end
 *   before it, so that a search can match a whole line
 */
export function textOf(thing: SearchableRow): string {
  const names = peopleOf(thing);
  const people = names.flatMap(spellings);
  const words = folded([...wordsOf(thing), ...people]);
  const written = writtenOut(names).filter((name) => !words.includes(name));
  const short = beginningsOf([...folded(people), ...written], folded([thing.reference]));
  const marks = [
    searchMark('kind', thing.kind),
    ...(thing.outcome === null ? [] : [searchMark('outcome', thing.outcome)]),
  ];
  return ['', ...words, ...written, marks.join(''), short].join('\n');
}

/** The number of an authorisation, and others in digits that only the record shows. */
const UNSHOWN_NUMBER = /^\d{5,}$/;

/** @returns the text of a thing, as `textOf`, without the numbers that no list shows */
export function shownTextOf(thing: SearchableRow): string {
  return textOf({ ...thing, words: thing.words.filter((word) => !UNSHOWN_NUMBER.test(word)) });
}

/** @returns the names of the people of a thing; a plan has none */
function peopleOf({ kind, who, names }: SearchableRow): readonly string[] {
  return who === null || who === '' || kind === 'plan' ? names : [who, ...names];
}

/** The words that people search by: names, money as a number, the day, and messages. */
function wordsOf(thing: SearchableRow): (string | null)[] {
  const { id, reference, who, email, lastFour, message, label, customer, subscription, plan } =
    thing;
  const links = [thing.purchase, customer, subscription, plan];
  const further = [thing.token, thing.note, ...thing.words];
  // The amount of a subscription is its plan's: a search for an amount is for money that moved.
  const { amount, currency } = thing;
  const isMoved = amount !== null && thing.kind !== 'subscription';
  const money = isMoved ? [decimalsOf(amount, currency)] : [];
  const day = thing.at.slice(0, 'YYYY-MM-DD'.length);
  // People search a request or an event by its links; nobody types its own id.
  const own = thing.kind === 'request' || thing.kind === 'event' ? null : id;
  const said = [...money, currency, day, label, message];
  return [own, reference, who, email, lastFour, ...links, ...said, ...further];
}

/** @returns `25.00`, as people type amounts; with two decimals if the currency is unknown */
function decimalsOf(amount: number, currency: string | null): string {
  const exponent = currency === null ? undefined : currencyExponent(currency);
  return formatDecimal(Math.abs(amount), exponent ?? USUAL_EXPONENT);
}

/** @returns the forms of names without special letters, for the names that have such letters */
function writtenOut(names: readonly (string | null | undefined)[]): string[] {
  return names.flatMap((name) => (name ? foldedForms(name.slice(0, MAX_WORD)).slice(1) : []));
}

function folded(texts: readonly (string | null | undefined)[]): string[] {
  const all = new Set(texts.map((text) => (text ? fold(text.slice(0, MAX_WORD)) : '')));
  all.delete('');
  return [...all];
}
