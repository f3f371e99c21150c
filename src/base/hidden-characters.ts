/**
 * Characters that make a text read as another: controls that a terminal obeys, bidirectional controls that change the
 * order of reading, and invisible ones. Invisible are zero-width and other default-ignorable characters, halves of
 * surrogate pairs, and the code points that Unicode keeps free for the use inside of programs (noncharacters).
 *
 * Some are needed. Joiners hold together an emoji of several parts, and letters of Persian or Hindi. A variation
 * selector belongs to the character before it. These stay where they do that, and nowhere else: inside `WEB-1`, a
 * joiner would only hide something. Hebrew and Arabic need no controls, and combining marks are visible, so both stay
 * unchanged.
 */

/** Most texts. Node takes a while to make a pattern with `\p`, so the others are made when a text needs them. */
export const PRINTABLE_ASCII = /^[ -~]*$/;

const JOINER = '\u200d';
const NON_JOINER = '\u200c';
const SELECTOR = /^[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]$/u;
const ENDS_KEY = /[\d#*]$/;
const KEYCAP = '\u20e3';

/** Number of UTF-16 units on each side that decide whether a character is needed. */
const BESIDE = 4;

/**
 * @param escaped returns the replacement for a hidden character, which begins at a UTF-16 unit of the text
 * @returns the text with each character that hides something replaced; the same string if there is none
 */
export function replaceHidden(
  text: string,
  escaped: (character: string, at: number) => string,
): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  const hidden =
    /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;
  return text.replace(hidden, (character, at: number) => {
    const before = text.slice(Math.max(0, at - BESIDE), at);
    const after = text.slice(at + character.length, at + character.length + BESIDE);
    return isNeeded(character, before, after) ? character : escaped(character, at);
  });
}

/** @returns whether a text has a character that hides something */
export function holdsHidden(text: string): boolean {
  return replaceHidden(text, () => '') !== text;
}

/** @returns whether a text has a control character, such as a line break */
export function holdsControl(text: string): boolean {
  return !PRINTABLE_ASCII.test(text) && /\p{Cc}/u.test(text);
}

function isNeeded(character: string, before: string, after: string): boolean {
  if (character === JOINER && joinsEmoji(before, after)) return true;
  if (character === JOINER || character === NON_JOINER)
    return isJoined([...before].at(-1)) && isJoined([...after][0]);
  if (!SELECTOR.test(character)) return false;
  if (ENDS_KEY.test(before) && after.startsWith(KEYCAP)) return true;
  return /[\p{Extended_Pictographic}\p{Script=Han}]$/u.test(before);
}

function joinsEmoji(before: string, after: string): boolean {
  return (
    /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?$/u.test(before) &&
    /^\p{Extended_Pictographic}/u.test(after)
  );
}

/** @returns whether a letter is of a script whose letters change when joined or separated */
function isJoined(letter = ''): boolean {
  return /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}]/u.test(
    letter,
  );
}
