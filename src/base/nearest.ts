/** The known words that a mistyped one is probably meant to be. */
import { distance } from 'fastest-levenshtein';

const MAX_GUESSES = 3;

/** How words are compared. */
interface Comparison {
  /** @returns what of a word counts; without it, all but whether letters are capital */
  form?(word: string): string;
  /** More mistakes than this make another word; without it, two, and more in a long one. */
  most?: number;
}

/** @returns the known words nearest to a mistyped one, best first; none when nothing is near */
export function nearest(
  word: string,
  known: readonly string[],
  { form = (text) => text.toLowerCase(), most = mostWrong(word) }: Comparison = {},
): string[] {
  return known
    .map((candidate) => ({ candidate, far: distance(form(word), form(candidate)) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far)
    .slice(0, MAX_GUESSES)
    .map(({ candidate }) => candidate);
}

function mostWrong({ length }: string): number {
  return length <= 3 ? 1 : Math.max(2, Math.floor(length / 3));
}

/** @returns `a`, `a or b`, `a, b or c` */
export function choice(words: readonly string[], last = 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
