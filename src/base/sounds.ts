/**
 * The sound of a name, for whoever hears it on a telephone and spells it as in another language: Vishnevski, Wiśniewski.
 * Names of one sound are candidates for a reader to choose from, and nothing is taken for another by it.
 */

/** A letter that is written twice. */
const TWICE = [/(.)\1+/g, '$1'] as const;

/** Spellings of one sound, in an order in which a later one may take what an earlier one left. */
const SPELLINGS: readonly (readonly [spelled: RegExp, sound: string])[] = [
  [/ph|[vw]/g, 'f'],
  [/tsch|cz/g, 'k'],
  [/s(?:c?h|z)|ts|[zx]/g, 's'],
  [/ch|ck|[cq]/g, 'k'],
  [/dt/g, 't'],
  [/(?<=.)h/g, ''],
  [/[jy]/g, 'i'],
  TWICE,
  [/ie|ei/g, 'e'],
  TWICE,
];

/** Letters that begin names of one sound. */
const INITIALS = ['fvwp', 'szxct', 'kcqt', 'ijye'];

/** @param word in small letters, without accents @returns the same text for all words that sound like it */
export function soundOf(word: string): string {
  return SPELLINGS.reduce((text, [spelled, sound]) => text.replace(spelled, sound), word);
}

/** @returns the first letters of all words that may sound like this one */
export function initialsOf(word: string): string[] {
  const first = word.slice(0, 1);
  const alike = INITIALS.filter((letters) => letters.includes(first));
  return [...new Set([first, ...alike.join('')])];
}
