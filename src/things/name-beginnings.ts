/**
 * Makes names and references findable by one or two characters, which are too short for trigrams. Two signs that nobody
 * types stand before each beginning. A search for `li` looks for the two signs and `li`, which is four characters.
 */
import { partsOf, spaced } from './normalise.ts';

const BEGINNING = '\u0003\u0003';
const BEGINNING_CHARACTERS = 2;

/**
 * @param names folded
 * @param whole folded texts of which only the beginning counts
 * @returns the text by which short words find them
 */
export function beginningsOf(names: readonly string[], whole: readonly string[] = []): string {
  return [...names.flatMap(beginningsIn), ...whole.map(shortened)]
    .map((one) => BEGINNING + one)
    .join('');
}

/** @returns the first one or two characters of each word: `o'`, `o` and `br` of O'Brien */
function beginningsIn(name: string): string[] {
  return wordsOf(name).flatMap((word) => {
    const parts = partsOf(word).filter((part) => part !== '');
    return [...new Set([word, ...parts].map(shortened))];
  });
}

/** @param word folded, of one or two characters @returns the text that stands for it in beginnings of names */
export function beginningOf(word: string): string {
  return wordsOf(word)
    .map((one) => BEGINNING + one)
    .join('');
}

function shortened(text: string): string {
  return [...text].slice(0, BEGINNING_CHARACTERS).join('');
}

function wordsOf(name: string): string[] {
  return spaced(name)
    .split(' ')
    .filter((word) => word !== '');
}
