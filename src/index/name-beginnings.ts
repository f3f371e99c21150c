/**
 * How names of one or two characters are found: trigrams find no word that is so short. The beginnings of names
 * stand in the text with two signs before each that nobody types: `li` is looked for as the two signs and `li`,
 * which is four characters.
 */
import { spaced } from './normalise.ts';

const BEGINNING = '\u0003\u0003';
const BEGINNING_CHARACTERS = 2;

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
