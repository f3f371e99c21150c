/** How texts are made alike before they are compared: a person on the phone spells no accents. */

/** Letters that are a letter and no accent to Unicode, and one without to whoever types. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ŋ: 'n',
};
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'gu');
/** Written without spaces, each sign much like a word. */
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;

/**
 * @returns the text in small letters without accents, in one form, its white space single spaces; half
 *   a surrogate pair, which has no UTF-8 form, is a sign of its own
 */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(SPECIAL, (letter) => PLAIN[letter] ?? letter)
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[\s\0]+/gu, ' ')
    .trim();
}

/** How those write a name who have no such letter. */
const WRITTEN_OUT: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  å: 'aa',
  ø: 'oe',
  đ: 'dj',
};
const WRITABLE = new RegExp(`[${Object.keys(WRITTEN_OUT).join('')}]`, 'gu');

/** @returns a name as `fold` gives it, and as it is written out: `muller` and `mueller` for Müller */
export function foldedForms(name: string): string[] {
  const plain = fold(name);
  const composed = name.toLowerCase().normalize('NFC');
  const written = fold(composed.replace(WRITABLE, (letter) => WRITTEN_OUT[letter] ?? letter));
  return written === plain ? [plain] : [plain, written];
}

/** @returns whether two names are one in some way of writing them */
export function isSameName(one: string, other: string): boolean {
  const forms = foldedForms(other);
  return foldedForms(one).some((form) => forms.includes(form));
}

/** @param folded as `fold` gives it @returns with each ideograph a word of its own, as names are indexed */
export function spaced(folded: string): string {
  return folded.replace(IDEOGRAPH, ' $& ').replace(/ +/g, ' ').trim();
}

/** Written with the family's name first and without a space. */
const EAST_ASIAN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}]+$/u;

/**
 * @param name as a record has it, the given name first where it has two fields
 * @returns it, and as it is written where it is one of East Asia: `伟 王` is 王伟 too
 */
export function spellings(name: string | null | undefined): (string | null | undefined)[] {
  const parts = name?.split(' ') ?? [];
  if (parts.length !== 2 || !parts.every((part) => EAST_ASIAN.test(part))) return [name];
  return [name, parts.toReversed().join('')];
}
