/**
 * The searchable texts of a thing in any store: its exact names, its words, the beginnings of its people's names,
 * and the second that orders it.
 */

import { beginningsOf } from './name-beginnings.ts';
import { fold, foldedForms, spellings } from './normalise.ts';
import type { IndexedThing, Thing } from './thing.ts';

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

/**
 * @returns the names that find a thing exactly, folded, without repeats; names of people also without special
 *   letters
 */
export function keysOf({ keys, names }: IndexedThing): string[] {
  const people = names.filter((name) => keys.includes(name));
  return [...new Set([...folded(keys.flatMap(spellings)), ...writtenOut(people)])];
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
export function markOf(field: keyof typeof MARKS, value: string): string {
  const sign = MARKS[field];
  return [sign, ...fold(value), sign, sign].slice(0, 3).join('');
}

/** @returns the lines of a thing's text: its words, its marks, and last the beginnings of its names */
export function linesOf(thing: IndexedThing): string[] {
  const people = thing.names.flatMap(spellings);
  const words = folded([...wordsOf(thing), ...thing.words, ...people]);
  const written = writtenOut(thing.names).filter((name) => !words.includes(name));
  const short = beginningsOf([...folded(people), ...written], folded([thing.reference]));
  const marks = [
    markOf('kind', thing.kind),
    ...(thing.outcome === null ? [] : [markOf('outcome', thing.outcome)]),
  ];
  return [...words, ...written, marks.join(''), short];
}

/** The words that people search by: names, money as a number, the day, and messages. */
function wordsOf(thing: Thing): (string | null)[] {
  const { id, reference, who, email, lastFour, message, label, customer, subscription, plan } =
    thing;
  const links = [thing.purchase, customer, subscription, plan];
  // The amount of a subscription is its plan's: a search for an amount is for money that moved.
  const { amount, currency } = thing;
  const isMoved = amount !== null && thing.kind !== 'subscription';
  const money = [isMoved ? String(Math.abs(amount)) : null, currency];
  const day = thing.at.slice(0, 'YYYY-MM-DD'.length);
  // People search a request or an event by its links; nobody types its own id.
  const own = thing.kind === 'request' || thing.kind === 'event' ? null : id;
  return [own, reference, who, email, lastFour, ...links, ...money, day, label, message];
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
