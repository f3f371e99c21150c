/**
 * Makes names findable by one or two characters, which are too short for trigrams. Two signs that nobody types stand
 * before each beginning of a name. A search for `li` looks for the two signs and `li`, which is four characters.
 */
import { spaced } from './normalise.ts';

const BEGINNING = '\u0003\u0003';
const BEGINNING_CHARACTERS = 2;

/** @param names folded @returns the text by which short words find them */
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

/** @param word folded, of one or two characters @returns the text that stands for it in beginnings of names */
export function beginningOf(word: string): string {
  const words = wordsOf(word);
  return (words.length > 0 ? words : [word]).map((one) => BEGINNING + one).join('');
}

function wordsOf(name: string): string[] {
  return spaced(name)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
}
