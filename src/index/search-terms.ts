/**
 * What the text of a document has beside the words that people search for, so that one full-text index
 * answers all that is asked at once, and ends early: signs that nobody types.
 *
 * A filter is a sign of its value, since a word that many documents have and a filter that few let through
 * would otherwise mean to read all the many. Two values may have the same sign; what is found is held
 * against the filter again.
 *
 * Trigrams find no word of one or two characters, so the beginnings of names stand there with two signs
 * before each: `li` is looked for as the two signs and `li`, which is four characters.
 */
import type { Document } from './document.ts';
import { spaced } from './normalise.ts';

const MARK = '\u0001';
const BEGINNING = '\u0003\u0003';
const BEGINNING_CHARACTERS = 2;
/** Private use (Unicode): no letter of any script. */
const FIRST_SIGN = 0xe000;
const SIGNS = 6_400;
/** FNV-1a. */
const HASH_START = 0x811c9dc5;
const HASH_DOCUMENTOR = 0x01000193;

type Marked = 'kind' | 'outcome' | 'profile';

/** @returns the three characters that each document of this value has */
export function markOf(what: Marked, value: string | null): string {
  return `${MARK}${signOf(`${what} ${value ?? ''}`)}${MARK}`;
}

/** @returns the end of a document's text */
export function marksOf(document: Pick<Document, Marked>): string {
  const marks = [
    markOf('kind', document.kind),
    markOf('outcome', document.outcome),
    markOf('profile', document.profile),
  ];
  return `\n${marks.map((mark) => mark.slice(0, -1)).join('')}${MARK}`;
}

/** @param text of a document @returns it with other marks at its end */
export function remarked(text: string, document: Pick<Document, Marked>): string {
  return text.slice(0, text.lastIndexOf('\n')) + marksOf(document);
}

/** @param names folded @returns what their short words are found by */
export function beginningsOf(names: readonly string[]): string {
  return beginningsIn(names)
    .map((one) => BEGINNING + one)
    .join('');
}

/** @param names folded @returns the first one or two characters of each of their words */
function beginningsIn(names: readonly string[]): string[] {
  const words = names.flatMap(wordsOf);
  return words.map((word) => [...word].slice(0, BEGINNING_CHARACTERS).join(''));
}

/** @param word folded, of one or two characters @returns what the beginnings of a name have for it */
export function beginningOf(word: string): string {
  const words = wordsOf(word);
  return (words.length > 0 ? words : [word]).map((one) => BEGINNING + one).join('');
}

function wordsOf(name: string): string[] {
  return spaced(name)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
}

function signOf(text: string): string {
  let hash = HASH_START;
  for (let i = 0; i < text.length; i++)
    hash = Math.imul(hash ^ text.charCodeAt(i), HASH_DOCUMENTOR) >>> 0;
  return String.fromCharCode(FIRST_SIGN + (hash % SIGNS));
}
