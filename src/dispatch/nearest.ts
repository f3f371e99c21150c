/** The known words that a mistyped one is probably meant to be. */
import { distance } from 'fastest-levenshtein';

const MAX_GUESSES = 3;

/** @returns the known words nearest to a mistyped one, best first; none when nothing is near */
export function nearest(word: string, known: readonly string[]): string[] {
  const allowed = word.length <= 3 ? 1 : Math.max(2, Math.floor(word.length / 3));
  return known
    .map((candidate) => ({ candidate, far: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ far }) => far <= allowed)
    .sort((a, b) => a.far - b.far)
    .slice(0, MAX_GUESSES)
    .map(({ candidate }) => candidate);
}

/** @returns `a`, `a or b`, `a, b or c` */
export function choice(words: readonly string[], last = 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
