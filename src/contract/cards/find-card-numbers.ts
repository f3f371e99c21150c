/**
 * Finds card numbers in any text, by what they are, whatever script their digits are of, whatever stands
 * between them, and however their characters are escaped.
 *
 *   stretch   digits with gaps between them, and no letter
 *   group     digits without a gap
 *   number    whole groups of a stretch that have an issuer, a length and a check digit, and either
 *             the same narrow gap everywhere or the groups that are printed on cards
 *
 * A number that is glued to letters counts (`P-4111111111111111`, `B4111111111111111^`), but not in a
 * digest or a UUID; digits that are glued to more digits do not, or one in four of the numbers that
 * are longer than a card's would hold one. docs/decisions/0014 has the figures.
 */
import { replaceInReadings, type Span } from '../../base/escapes.ts';
import { hasIssuer, passesLuhn } from './card-number.ts';

/**
 * How a text came to be. In a `value`, which is one thing, a gap may be anything that is no letter. On a
 * `page`, where values stand beside each other, a gap is one character, and neither a tab nor a line end.
 */
export type Layout = 'value' | 'page';

type IsCardNumber = (digits: string) => boolean | undefined;

/** Longest first: the longest number that begins at a digit counts. */
const LENGTHS = [19, 18, 17, 16, 15, 14, 13, 12];
const SHORTEST = 12;

/** What a character is to a row of digits. */
const LETTER = 0;
const DIGIT = 1;
/** A space, hyphen, dot, `_`, `/`, or the `+` of a form: it may part any groups. */
const NARROW = 2;
const CONTROL = 3;
/** Anything else: it parts the groups that are printed on cards. */
const WIDE = 4;
/** WIDE, a part of a tag or of an escape, or beyond ASCII. */
const ODD = 5;

const KINDS = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/i.test(character)) return LETTER;
  if (/\d/.test(character)) return DIGIT;
  if (code < 0x20 || code === 0x7f) return CONTROL;
  if (' -./_+'.includes(character)) return NARROW;
  return '%&\\<'.includes(character) ? ODD : WIDE;
});

/** Beyond ASCII: spaces, also those that have no width; hyphens and dashes; dots. */
const NARROW_OTHERS =
  /[\u00a0\u00ad\u1680\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff\u2010-\u2015\u2212\ufe58\ufe63\uff0d\u00b7\u2022\u2024\u2027\u30fb\uff0e]/;

/** Longer gaps part two stretches. */
const MAX_GAP = 16;
const MAX_NARROW: Readonly<Record<Layout, number>> = { value: 3, page: 1 };

const TAG = /<[!/?a-z][^<>]{0,200}>/iy;

/** @returns whether a text has a card number in it */
export function holdsCardNumber(text: string): boolean {
  return maskCardNumbers(text) !== text;
}

/**
 * @param isKnown true for digits that are a card's number wherever they stand, also within longer
 *   digits; false for those that are none to hide; undefined where they are judged by what they are
 * @returns the text with all but the first six and last four digits of card numbers replaced by X,
 *   and with everything between the digits as it was; the very same text where there is none
 */
export function maskCardNumbers(
  text: string,
  layout: Layout = 'value',
  isKnown?: IsCardNumber,
): string {
  if (!mayHoldCardNumber(text)) return text;
  return replaceInReadings(text, (reading) => hiddenIn(reading, layout, isKnown), 'X');
}

/** @returns the digits of each card number in a text, as `maskCardNumbers` finds them by what they are */
export function cardNumbersIn(text: string): string[] {
  if (!holdsCardNumber(text)) return [];
  const found: string[] = [];
  maskCardNumbers(text, 'value', (digits) => {
    if (hasIssuer(digits) && passesLuhn(digits)) found.push(digits);
    return undefined;
  });
  return found;
}

/** @returns false only where no reading of the text has a card number; a quick look */
export function mayHoldCardNumber(text: string): boolean {
  let inRow = 0;
  let inAll = 0;
  let isOdd = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // Beyond ASCII anything may be a digit.
    const kind = code < 0x80 ? KINDS[code] : DIGIT;
    if (kind === LETTER) inRow = 0;
    else if (kind === ODD) isOdd = true;
    else if (kind === DIGIT) {
      inAll++;
      if (++inRow === SHORTEST) return true;
    }
  }
  return isOdd && inAll >= SHORTEST;
}

/** @returns the digits to be hidden. Each character is looked at twice at most, and a tag four times */
function hiddenIn(text: string, layout: Layout, isKnown?: IsCardNumber): Span[] {
  const hidden: Span[] = [];
  let start = 0;
  /** Digits since then, and other characters since the last of them. */
  let count = 0;
  let gap = 0;
  for (let i = 0; i <= text.length; ) {
    const at = i;
    // The end of a text parts as a letter does.
    const code = i < text.length ? text.charCodeAt(i) : A;
    let kind = code < 0x80 ? KINDS[code]! : ODD;
    if (kind === ODD) {
      const character = oddCharacterAt(text, i);
      kind = character.kind;
      i += character.length;
    } else i++;
    if (kind === DIGIT) {
      if (count++ === 0) start = at;
      gap = 0;
    } else if (count > 0 && parts(kind, ++gap, layout)) {
      if (count >= SHORTEST) hideNumbers(stretchIn(text, start, at, layout), isKnown, hidden);
      count = 0;
    }
  }
  return hidden;
}

/** @param gap characters since the last digit, this one included. @returns whether it ends a stretch */
function parts(kind: number, gap: number, layout: Layout): boolean {
  return kind === LETTER || gap > MAX_GAP || (kind === CONTROL && layout === 'page');
}

/** Digits with gaps between them, in the order of the text. */
interface Stretch {
  text: string;
  layout: Layout;
  digits: number[];
  /** Where each of them is in the text, in UTF-16 units. */
  from: number[];
  to: number[];
  /** Whether the gap before it may part no other groups than printed ones. */
  isWide: boolean[];
}

function stretchIn(text: string, start: number, end: number, layout: Layout): Stretch {
  const stretch: Stretch = { text, layout, digits: [], from: [], to: [], isWide: [] };
  let gap = 0;
  let isWide = false;
  for (let i = start; i < end; ) {
    const code = text.charCodeAt(i);
    const kind = code < 0x80 ? KINDS[code]! : ODD;
    const character =
      kind === ODD ? oddCharacterAt(text, i) : { kind, length: 1, digit: code - ZERO };
    if (character.kind === DIGIT) {
      stretch.digits.push(character.digit);
      stretch.from.push(i);
      stretch.to.push(i + character.length);
      stretch.isWide.push(isWide || gap > MAX_NARROW[layout]);
      gap = 0;
      isWide = false;
    } else {
      gap++;
      isWide ||= character.kind === WIDE;
    }
    i += character.length;
  }
  return stretch;
}

const ZERO = '0'.charCodeAt(0);
const A = 'A'.charCodeAt(0);

interface Character {
  kind: number;
  /** UTF-16 units; a tag is one character. */
  length: number;
  /** Of a digit. */
  digit: number;
}

/** @returns what may begin a tag, or is beyond ASCII */
function oddCharacterAt(text: string, i: number): Character {
  const code = text.codePointAt(i)!;
  const character = String.fromCodePoint(code);
  const { length } = character;
  if (code < 0x80) {
    TAG.lastIndex = i;
    const tag = character === '<' ? TAG.exec(text)?.[0] : undefined;
    return { kind: WIDE, length: tag?.length ?? length, digit: 0 };
  }
  const digit = digitOf(code, character);
  if (digit !== undefined) return { kind: DIGIT, length, digit };
  if (/[\p{L}\p{N}]/u.test(character)) return { kind: LETTER, length, digit: 0 };
  if (NARROW_OTHERS.test(character)) return { kind: NARROW, length, digit: 0 };
  return { kind: code < 0xa0 ? CONTROL : WIDE, length, digit: 0 };
}

/** @returns the value of a digit of any script, raised or in a circle, too */
function digitOf(code: number, character: string): number | undefined {
  if (!/[\p{Nd}\p{No}]/u.test(character)) return undefined;
  const plain = character.normalize('NFKC');
  if (/^\d$/.test(plain)) return Number(plain);
  if (!/\p{Nd}/u.test(character)) return undefined;
  // Unicode has the digits of a script in their order, one script after the other.
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++;
  return before % 10;
}

/** Adds all but the first six and last four digits of each number in a stretch. */
function hideNumbers(stretch: Stretch, isKnown: IsCardNumber | undefined, hidden: Span[]): void {
  const { from, to } = stretch;
  const digits = stretch.digits.join('');
  for (let first = 0; first < digits.length; first++) {
    if (!isKnown && isGlued(stretch, first)) continue;
    const length = LENGTHS.find((length) => {
      const number = digits.slice(first, first + length);
      return number.length === length && isNumber(stretch, first, number, isKnown);
    });
    if (length === undefined) continue;
    for (let i = first + 6; i < first + length - 4; i++)
      hidden.push({ from: from[i]!, to: to[i]! });
    first += length - 1;
  }
}

function isNumber(
  stretch: Stretch,
  first: number,
  number: string,
  isKnown?: IsCardNumber,
): boolean {
  const end = first + number.length;
  const known = isKnown?.(number);
  if (known !== undefined) return known && isWrittenAsOne(stretch, first, end, true);
  return (
    hasIssuer(number) &&
    !isGlued(stretch, first) &&
    !isGlued(stretch, end) &&
    passesLuhn(number) &&
    isWrittenAsOne(stretch, first, end, stretch.layout === 'value') &&
    !isOther(stretch, first, end)
  );
}

/** @returns whether the digit `i` follows the one before it without a gap */
function isGlued({ from, to }: Stretch, i: number): boolean {
  return i > 0 && from[i] === to[i - 1];
}

/** 4-4-4-4 and what begins so, 4-6-5 (American Express), 4-6-4 (Diners Club), 6-13 (Maestro). */
const PRINTED = /^(?:4(?: 4){2,3}(?: [1-4])?|4 6 [45]|6 1[0-3])$/;
/** Of those, what amounts and years in a row are seldom. */
const PRINTED_APART = /^(?:4 4 4 4(?: [1-3])?|4 6 [45]|6 13)$/;

/**
 * Dates, amounts and numbers that happen to stand in a row have other gaps, and other groups.
 * @param mayBeApart whether the gaps may be wide
 */
function isWrittenAsOne(stretch: Stretch, first: number, end: number, mayBeApart: boolean) {
  const { text, from, to, isWide } = stretch;
  const gaps = new Set<string>();
  const groups = [1];
  let isApart = false;
  for (let i = first + 1; i < end; i++) {
    if (isGlued(stretch, i)) groups[groups.length - 1]!++;
    else {
      isApart ||= isWide[i]!;
      gaps.add(text.slice(to[i - 1], from[i]));
      groups.push(1);
    }
  }
  if (isApart) return mayBeApart && PRINTED_APART.test(groups.join(' '));
  return gaps.size <= 1 || PRINTED.test(groups.join(' '));
}

/** Shorter than what a `+` of a form may stand before, longer than any phone number in use. */
const MAX_PHONE_DIGITS = 14;

/** @returns whether digits that could be a card number are another number, or a part of one */
function isOther({ text, from, to }: Stretch, first: number, end: number): boolean {
  const start = from[first]!;
  const stop = to[end - 1]!;
  const isPhone = end - first <= MAX_PHONE_DIGITS && text[start - 1] === '+';
  return isPhone || isDecimal(text, start, stop) || isInDigest(text, start, stop);
}

/** A double has no more significant digits. */
const MAX_DOUBLE_DIGITS = 17;

/** A number such as 0.4111111111111111, of which the digits are a part or all. */
function isDecimal(text: string, from: number, to: number): boolean {
  const point = text[from - 1] === '.' ? from - 1 : from;
  const start = startOf(text, point, /\d/, 20);
  const number = text.slice(start, to);
  const isLonger = /[\w.]-?$/.test(text.slice(Math.max(0, start - 2), start));
  return (
    !isLonger &&
    /^\d+\.\d+$/.test(number) &&
    /^(?:e[+-]?\d|\W|$)/i.test(text.slice(to, to + 4)) &&
    number.replace(/^[0.]+|\./g, '').length <= MAX_DOUBLE_DIGITS
  );
}

/** @returns where the characters of a kind begin that end at `to`, of which there are at most `max` */
function startOf(text: string, to: number, kind: RegExp, max: number): number {
  let from = to;
  while (from > 0 && to - from < max && kind.test(text[from - 1]!)) from--;
  return from;
}

const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi;
const UUID_LENGTH = 36;
/** Hexadecimal digits of MD5, SHA-1, SHA-224, SHA-256, SHA-384 and SHA-512, and of half a SHA-256. */
const DIGEST_LENGTHS = [32, 40, 56, 64, 96, 128];

function isInDigest(text: string, from: number, to: number): boolean {
  const start = Math.max(0, from - UUID_LENGTH);
  for (const { index, 0: uuid } of text.slice(start, to + UUID_LENGTH).matchAll(UUID)) {
    if (start + index < to && start + index + uuid.length > from) return true;
  }
  const [after = ''] = /^[\da-f]*/i.exec(text.slice(to, to + 128)) ?? [];
  const word = text.slice(startOf(text, from, /[\da-f]/i, 128), to) + after;
  return DIGEST_LENGTHS.includes(word.length) && /[a-f]/i.test(word) && /^[\da-f]+$/i.test(word);
}
