/**
 * The rule for a text that a person, a file or another program gives to gw, at every door: its ends are trimmed, and a
 * control character or an invisible one inside is refused. Two references that look the same would otherwise be two
 * sales, for example `INV-501` and the `INV-501\r` of a file with Windows line ends.
 *
 * A space that no keyboard types by itself, such as a no-break space, reads as a plain one, and is refused too. So are
 * characters that Unicode does not count as blank, but fonts draw as nothing: an empty pattern of Braille, blanks of
 * hieroglyphs, the filler of Khitan, a note without a head, the place of an object. The ideographic space of Japanese
 * keyboards is wide enough to be seen.
 *
 * Hidden characters make a text read as another: controls that a terminal obeys, bidirectional controls that change the
 * order of reading, and invisible ones. Invisible are zero-width and other default-ignorable characters, halves of
 * surrogate pairs, and the code points that Unicode keeps free for the use inside of programs (noncharacters).
 *
 * Some are needed. Joiners hold together an emoji of several parts, and letters of Persian or Hindi. A variation
 * selector belongs to the character before it. These stay where they do that, and nowhere else: inside `WEB-1`, a
 * joiner would only hide something. Hebrew and Arabic need no controls, and combining marks are visible, so both stay
 * unchanged.
 */
import { type Failure, usage } from '../failure.ts';
import { type Json, type JsonObject, withTexts } from './json.ts';

/** Most texts. Node takes a while to make a pattern with `\p`, so the others are made when a text needs them. */
const PRINTABLE_ASCII = /^[ -~]*$/;

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

/** A blank, and what is drawn as one. */
const BLANK = /[\s\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}]/u;

/** @returns the text without blank and invisible characters at its ends; what belongs to an emoji stays */
export function trimText(text: string): string {
  const ascii = text.trim();
  if (PRINTABLE_ASCII.test(ascii)) return ascii;
  const ignorable = /\p{Default_Ignorable_Code_Point}/u;
  const isBlank = (one: string) => BLANK.test(one) || ignorable.test(one);
  const all = [...ascii];
  const first = all.findIndex((character) => !isBlank(character));
  const last = all.findLastIndex(
    (character, i) => !isBlank(character) || (i > first && isPartOf(all[i - 1], character)),
  );
  return first === -1 ? '' : all.slice(first, last + 1).join('');
}

/** @returns whether a character at the end belongs to the one before it, such as the selector of an emoji */
function isPartOf(before = '', character: string): boolean {
  return !BLANK.test(character) && !holdsHidden(before + character);
}

/**
 * @param name of the text in a message: `--reference`
 * @returns the text as gw takes it
 * @throws Failure usage if a character that is not visible is inside
 */
export function cleanText(text: string, name: string): string {
  const clean = trimText(text);
  const fault = hiddenFault(clean);
  if (fault === undefined) return clean;
  throw hidesSomething(`${name} ${fault}`);
}

/** @param what names the text and the character, as a sentence without a full stop */
export function hidesSomething(what: string): Failure {
  const next = 'Type it again without that character, then run the command again.';
  return usage('text-hides-something', `${what}.`, next);
}

/** @returns what is hidden inside a text, as the rest of a sentence; undefined if nothing is */
export function hiddenFault(text: string): string | undefined {
  if (PRINTABLE_ASCII.test(text)) return undefined;
  let at = text.replaceAll(/[ \u3000]/g, '_').search(BLANK);
  replaceHidden(text, (character, place) => {
    if (at === -1 || place < at) at = place;
    return character;
  });
  if (at === -1) return undefined;
  const point = text.codePointAt(at) ?? 0;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  const name = NAMES[String.fromCodePoint(point)] ?? 'a character that is not visible';
  return `has ${name} (${code}) at character ${[...text.slice(0, at)].length + 1}`;
}

/** First and last characters that a shell, an editor or a web page puts around a value, in pairs. */
const PAIRS = new Set([
  '""',
  "''",
  '``',
  '\u201c\u201d',
  '\u201e\u201c',
  '\u2018\u2019',
  '\u00ab\u00bb',
  '<>',
]);

/** @returns what does not belong to a value, such as quotes around it, as the rest of a sentence that shows nothing else */
export function oddPartOf(value: string): string | undefined {
  const [first = '', last = ''] = [value[0], value.at(-1)];
  if (value.length > 1 && PAIRS.has(first + last))
    return `begins with ${first} and ends with ${last}`;
  let odd = /^\s|\s$/.exec(value)?.[0];
  replaceHidden(value, (character) => {
    odd = character;
    return '';
  });
  if (odd === undefined) return undefined;
  const where = value.startsWith(odd) ? 'begins' : value.endsWith(odd) ? 'ends' : 'is written';
  const code = odd.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return `${where} with ${odd === ' ' ? 'a space' : `an invisible character (U+${code})`}`;
}

const NAMES: Readonly<Record<string, string>> = {
  '\t': 'a tab',
  '\n': 'a line break',
  '\r': 'a carriage return',
  '\u00a0': 'a no-break space',
  '\u00ad': 'a soft hyphen',
  '\u200b': 'a zero-width space',
  '\u202f': 'a narrow no-break space',
  '\ufeff': 'a byte order mark',
};

/** @returns the value with all its texts trimmed; names of fields stay */
export function withTrimmedTexts<Value extends Json>(value: Value): Value {
  return withTexts(value, trimText) as Value;
}

/** A text of a body that hides something. */
interface HiddenText {
  /** Field of the body, dotted if nested. */
  field: string;
  /** The character that cannot be seen and its place, as the rest of a sentence. */
  problem: string;
}

/** @returns the texts of a body, and the names of its fields, that hide something */
export function hiddenTexts(body: JsonObject | Json[], path: readonly string[] = []): HiddenText[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const here = [...path, name];
    const fault = hiddenFault(name) ?? (typeof value === 'string' ? hiddenFault(value) : undefined);
    if (fault !== undefined) return [{ field: here.join('.'), problem: fault }];
    return value !== null && typeof value === 'object' ? hiddenTexts(value, here) : [];
  });
}
