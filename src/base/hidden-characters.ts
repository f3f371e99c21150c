/**
 * Characters by which a text reads as another one: those that a terminal obeys (controls), those that turn the
 * order of what is read (bidirectional controls), and those of which nothing is seen (zero-width and other
 * default-ignorable ones, halves of surrogate pairs).
 *
 * Some are needed to write: an emoji of several is held together by joiners, and so are letters of Persian or
 * Hindi; a variation selector belongs to the sign before it. These stay where they do that, and nowhere else:
 * between the letters of `WEB-1` a joiner would only hide. Hebrew and Arabic read in their order without any
 * control, and combining marks are seen, so that both stay as they are.
 */

const HIDDEN = /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;

const JOINER = '\u200d';
const NON_JOINER = '\u200c';
/**
 * A letter of a script whose letters change when they are joined or parted. A literal, since Node compiles one when it
 * is first used, and `new RegExp` at each start.
 */
const JOINED =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}]/u;
const ENDS_EMOJI = /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?$/u;
const BEGINS_EMOJI = /^\p{Extended_Pictographic}/u;
const SELECTOR = /^[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]$/u;
const ENDS_SELECTED = /[\p{Extended_Pictographic}\p{Script=Han}]$/u;
const ENDS_KEY = /[\d#*]$/;
const KEYCAP = '\u20e3';

/** UTF-16 units beside a character that tell what it is there for. */
const BESIDE = 4;

/**
 * @param escaped what a hidden character is written as
 * @returns the text with it in the place of each character that hides something; the very same text where there
 *   is none
 */
export function replaceHidden(text: string, escaped: (character: string) => string): string {
  return text.replace(HIDDEN, (character, at: number) => {
    const before = text.slice(Math.max(0, at - BESIDE), at);
    const after = text.slice(at + character.length, at + character.length + BESIDE);
    return isNeeded(character, before, after) ? character : escaped(character);
  });
}

/** @returns whether a text has a character that hides something */
export function holdsHidden(text: string): boolean {
  return replaceHidden(text, () => '') !== text;
}

function isNeeded(character: string, before: string, after: string): boolean {
  if (character === JOINER && ENDS_EMOJI.test(before) && BEGINS_EMOJI.test(after)) return true;
  if (character === JOINER || character === NON_JOINER)
    return JOINED.test([...before].at(-1) ?? '') && JOINED.test([...after][0] ?? '');
  if (!SELECTOR.test(character)) return false;
  return ENDS_SELECTED.test(before) || (ENDS_KEY.test(before) && after.startsWith(KEYCAP));
}
