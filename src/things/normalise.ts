/** Makes texts alike before they are compared: callers do not spell out accents. */

/** Letters and signs that Unicode keeps, but that people type as plain ones. */
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
  '’': "'",
  '‘': "'",
  ʼ: "'",
};
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'gu');
/** Letters, digits and signs of ASCII with single spaces between them. */
const PLAIN_TEXT = /^[!-~]+(?: [!-~]+)*$/;

/**
 * @returns the text in small letters, without accents, in one Unicode form, with single spaces; half of a surrogate
 *   pair, which has no UTF-8 form, becomes a fixed sign
 */
export function fold(text: string): string {
  // Most texts are of plain letters, of which the rest changes nothing.
  if (PLAIN_TEXT.test(text)) return text.toLowerCase();
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

/** The spelling of letters for people whose keyboards lack them; few type apostrophes. */
const WRITTEN_OUT: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  å: 'aa',
  ø: 'oe',
  đ: 'dj',
  "'": '',
  '’': '',
  '‘': '',
  ʼ: '',
};
const WRITABLE = new RegExp(`[${Object.keys(WRITTEN_OUT).join('')}]`, 'gu');

/** @returns a name from `fold`, and its form without special letters and apostrophes: `muller` and `mueller` for Müller */
export function foldedForms(name: string): string[] {
  const plain = fold(name);
  if (PLAIN_TEXT.test(name) && !name.includes("'")) return [plain];
  const composed = name.toLowerCase().normalize('NFC');
  const written = fold(composed.replace(WRITABLE, (letter) => WRITTEN_OUT[letter] ?? letter));
  return written === plain || written === '' ? [plain] : [plain, written];
}

/** @returns whether two names share a form */
export function isSameName(one: string, other: string): boolean {
  const forms = foldedForms(other);
  return foldedForms(one).some((form) => forms.includes(form));
}

/**
 * Scripts without spaces, where each sign is much like a word.
 * @param folded from `fold`
 * @returns the text with each ideograph as a word of its own, as names are indexed
 */
export function spaced(folded: string): string {
  if (PLAIN_TEXT.test(folded)) return folded;
  return folded
    .replace(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu, ' $& ')
    .replace(/ +/g, ' ')
    .trim();
}

/** @param folded from `fold` @returns its runs of letters and digits; one at an end is empty where a sign is there */
export function partsOf(folded: string): string[] {
  return folded.split(PLAIN_TEXT.test(folded) ? /[^a-z\d]+/ : /[^\p{L}\p{M}\p{N}]+/u);
}

/** @returns whether a name is of a script in which the family name comes first, without a space */
function isEastAsian(name: string): boolean {
  if (PLAIN_TEXT.test(name)) return false;
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}]+$/u.test(name);
}

/**
 * @param name as the record has it; with two fields, the given name comes first
 * @returns the name, and its East Asian form if it has one: `伟 王` is also 王伟
 */
export function spellings(name: string | null | undefined): (string | null | undefined)[] {
  const parts = name?.split(' ') ?? [];
  if (parts.length !== 2 || !parts.every((part) => isEastAsian(part))) return [name];
  return [name, parts.toReversed().join('')];
}
