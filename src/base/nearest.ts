/** Suggests the known word that a mistyped one probably means. */
import { distance } from 'fastest-levenshtein';

const MOST_WRONG = 2;

/** @returns the known word nearest to a mistyped one; undefined if none is near, or several are equally near */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  const most = Math.min(MOST_WRONG, Math.floor(word.length / 2.5));
  const near = [...new Set(known)]
    .map((candidate) => ({ candidate, far: distance(typed, candidate.toLowerCase()) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far);
  return near[0]?.far === near[1]?.far ? undefined : near[0]?.candidate;
}
