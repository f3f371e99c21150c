/**
 * The texts from which a typed one differs by one slip: a letter too many or too few, two letters in the wrong order, a
 * wrong letter. Whoever has an index of whole texts looks all of them up: that finds every such text, however many the
 * index has, and also where a slip in a short name leaves no three letters in a row for a full-text index.
 */

/** A longer text has too many such texts. */
const LONGEST = 64;
const PLAIN = [..."abcdefghijklmnopqrstuvwxyz0123456789 -._@'/+&#"];
/** Unicode orders letters of a script in blocks of about this many. */
const BLOCK = 128;

/** @param text folded (things/normalise.ts) @returns the texts without repeats, the likeliest first; none if it is too long */
export function oneLetterOff(text: string): string[] {
  const letters = [...text];
  if (letters.length > LONGEST) return [];
  const changed = (at: number, gone: number, ...others: string[]) =>
    letters.toSpliced(at, gone, ...others).join('');
  const places = letters.map((letter, at) => ({ letter, at }));
  const swapped = places
    .slice(1)
    .map(({ letter, at }) => changed(at - 1, 2, letter, letters[at - 1] ?? ''));
  const doubled = places.map(({ letter, at }) => changed(at, 0, letter));
  const tooMany = places.map(({ at }) => changed(at, 1));
  const alphabet = alphabetOf(letters);
  const everywhere = (gone: number, last: number) =>
    Array.from({ length: last + 1 }).flatMap((_, at) =>
      alphabet.map((letter) => changed(at, gone, letter)),
    );
  const [tooFew, wrong] = [everywhere(0, letters.length), everywhere(1, letters.length - 1)];
  const all = new Set([...swapped, ...doubled, ...tooMany, ...tooFew, ...wrong]);
  all.delete(text);
  all.delete('');
  return [...all];
}

/** @returns plain letters and signs, and the letters of the scripts of a text */
function alphabetOf(letters: readonly string[]): string[] {
  // Each of their signs is much like a word, so another one is another word.
  const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
  const blocks = new Set(
    letters
      .filter((letter) => !ideograph.test(letter))
      .map((letter) => Math.floor((letter.codePointAt(0) ?? 0) / BLOCK)),
  );
  blocks.delete(0);
  const further = [...blocks].flatMap((block) =>
    Array.from({ length: BLOCK }, (_, n) => String.fromCodePoint(block * BLOCK + n)),
  );
  return [...PLAIN, ...further.filter((letter) => /[\p{L}\p{N}]/u.test(letter))];
}
