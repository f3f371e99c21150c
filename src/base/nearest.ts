/** The known word that a mistyped one is probably meant to be. */
import { distance } from 'fastest-levenshtein';

const MOST_WRONG = 2;

/** @returns the one known word that is nearest to a mistyped one; undefined when none is near, or several are */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  const most = Math.min(MOST_WRONG, Math.floor(word.length / 3));
  const near = [...new Set(known)]
    .map((candidate) => ({ candidate, far: distance(typed, candidate.toLowerCase()) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far);
  return near[0]?.far === near[1]?.far ? undefined : near[0]?.candidate;
}
