/**
 * Finds card numbers in any text, by what they are.
 *
 *   stretch   digits with gaps between them, such as `INV-2026 4111 1111.1111-1111`
 *   group     digits without a gap
 *   number    whole groups of a stretch that have an issuer, a length and a check digit, and either
 *             the same gap everywhere or the groups that are printed on cards
 *
 * A number that is glued to letters counts (`P-4111111111111111`, `B4111111111111111^`), but not in a
 * digest or a UUID; digits that are glued to more digits do not, or one in four of the numbers that
 * are longer than a card's would hold one. docs/decisions/0014 has the figures.
 */
import { hasIssuer, passesLuhn } from './card-number.ts';

/**
 * How a text came to be. In a `value`, which is one thing, gaps may be up to three characters, line
 * ends among them. On a `page`, where values stand beside each other, a gap is one character, and
 * neither a tab nor a line end.
 */
export type Layout = 'value' | 'page';

type Verdict = (digits: string) => boolean | undefined;

/** Longest first: the longest number that begins at a digit counts. */
const LENGTHS = [19, 18, 17, 16, 15, 14, 13, 12];
const SHORTEST = 12;

/** ASCII, Arabic, Persian, full-width. */
const DIGIT = '0-9\\u0660-\\u0669\\u06f0-\\u06f9\\uff10-\\uff19';
/** Spaces, also those that have no width; hyphens and dashes; dots; `_`, `/`, and the `+` of a form. */
const GAP =
  ' \\u00a0\\u00ad\\u1680\\u2000-\\u200d\\u202f\\u205f\\u2060\\u3000\\ufeff' +
  '\\u2010-\\u2015\\u2212\\ufe58\\ufe63\\uff0d.\\u00b7\\u2022\\u2024\\u2027\\u30fb\\uff0e_/+\\-';
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';

interface Patterns {
  /** A counted repetition of more than a class, or without an upper limit, would exhaust the stack. */
  stretch: RegExp;
  /** What ends a stretch after all. */
  tooWide: RegExp;
}

const PATTERNS: Readonly<Record<Layout, Patterns>> = {
  value: {
    stretch: new RegExp(`[${DIGIT}][${DIGIT}${GAP}${CONTROL}]{11}[${DIGIT}${GAP}${CONTROL}]*`, 'g'),
    tooWide: new RegExp(`([${GAP}${CONTROL}]{4,})`),
  },
  page: {
    stretch: new RegExp(`[${DIGIT}][${DIGIT}${GAP}]{11}[${DIGIT}${GAP}]*`, 'g'),
    tooWide: new RegExp(`([${GAP}]{2,})`),
  },
};
const GROUP = new RegExp(`[${DIGIT}]+`, 'g');

/** A character that is written as more than one: in a URL, in HTML, in JSON. */
const ESCAPED = /(%c2%a0|%[2-3][\da-f]|&nbsp;|&#\d{2,4};|&#x[\da-f]{2,4};|\\u[\da-f]{4})/i;

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
export function maskCardNumbers(text: string, layout: Layout = 'value', isKnown?: Verdict): string {
  if (text.length < SHORTEST) return text;
  const masked = maskPlain(text, layout, isKnown);
  return /[%&\\]/.test(masked) ? maskEscaped(masked, layout, isKnown) : masked;
}

function maskEscaped(text: string, layout: Layout, isKnown?: Verdict): string {
  const parts = text.split(ESCAPED);
  if (parts.length === 1) return text;
  const units = parts.flatMap((part, i) => (i % 2 === 1 ? [part] : part.split('')));
  const plain = units.map(unescaped).join('');
  const masked = maskPlain(plain, layout, isKnown);
  if (masked === plain) return text;
  return units.map((unit, i) => (masked[i] === plain[i] ? unit : masked[i])).join('');
}

/** @returns one UTF-16 unit for what stands for one */
function unescaped(unit: string): string {
  if (unit.length === 1) return unit;
  if (/^(?:%c2|&nbsp)/i.test(unit)) return ' ';
  const hex = /^(?:%|&#x|\\u)([\da-f]+)/i.exec(unit)?.[1];
  const code = hex === undefined ? Number(unit.slice(2, -1)) : Number.parseInt(hex, 16);
  return String.fromCharCode(code);
}

function maskPlain(text: string, layout: Layout, isKnown?: Verdict): string {
  const { stretch, tooWide } = PATTERNS[layout];
  return text.replace(stretch, (found: string, offset: number) => {
    let start = offset;
    return found
      .split(tooWide)
      .map((part) => {
        const masked = maskStretch(part, { text, start, isKnown });
        start += part.length;
        return masked;
      })
      .join('');
  });
}

interface Place {
  text: string;
  /** Where the stretch begins in the text. */
  start: number;
  isKnown: Verdict | undefined;
}

/** The digits of a stretch. */
interface Digits {
  stretch: string;
  /** In ASCII. */
  text: string;
  /** Where each of them stands in the stretch. */
  at: number[];
}

function maskStretch(stretch: string, place: Place): string {
  const digits = digitsOf(stretch);
  const units = stretch.split('');
  for (let first = 0; first < digits.text.length; first++) {
    const length = LENGTHS.find((length) => isNumber(digits, first, length, place));
    if (length === undefined) continue;
    const hidden = digits.at.slice(first + 6, first + length - 4);
    for (const at of hidden) units[at] = 'X';
    first += length - 1;
  }
  return units.join('');
}

function digitsOf(stretch: string): Digits {
  const at: number[] = [];
  for (const { index, 0: group } of stretch.matchAll(GROUP)) {
    for (let i = 0; i < group.length; i++) at.push(index + i);
  }
  // Each alphabet has its zero at a multiple of 16.
  const text = at.map((place) => stretch.charCodeAt(place) % 16).join('');
  return { stretch, text, at };
}

function isNumber(digits: Digits, first: number, length: number, place: Place): boolean {
  const { text, at } = digits;
  const end = first + length;
  if (end > text.length) return false;
  const number = text.slice(first, end);
  const known = place.isKnown?.(number);
  if (known !== undefined) return known;
  const isWhole = !isGlued(at, first) && !isGlued(at, end);
  if (!isWhole || !hasIssuer(number) || !passesLuhn(number)) return false;
  const from = place.start + at[first]!;
  const to = place.start + at[end - 1]! + 1;
  return (
    isWrittenAsOne(digits, first, end) &&
    !(length <= MAX_PHONE_DIGITS && place.text[from - 1] === '+') &&
    !isDecimal(place.text, from, to) &&
    !isInDigest(place.text, from, to)
  );
}

/** Shorter than what a `+` of a form may stand before, longer than any phone number in use. */
const MAX_PHONE_DIGITS = 14;

/** @returns whether the digit `i` follows the one before it without a gap */
function isGlued(at: readonly number[], i: number): boolean {
  return i > 0 && i < at.length && at[i] === at[i - 1]! + 1;
}

/** 4-4-4-4 and what begins so, 4-6-5 (American Express), 4-6-4 (Diners Club), 6-13 (Maestro). */
const PRINTED = /^(?:4(?: 4){2,3}(?: [1-4])?|4 6 [45]|6 1[0-3])$/;

/** Dates, amounts and numbers that happen to stand in a row have other gaps, and other groups. */
function isWrittenAsOne({ stretch, at }: Digits, first: number, end: number): boolean {
  const gaps = new Set<string>();
  const groups = [1];
  for (let i = first + 1; i < end; i++) {
    if (isGlued(at, i)) groups[groups.length - 1]!++;
    else {
      gaps.add(stretch.slice(at[i - 1]! + 1, at[i]));
      groups.push(1);
    }
  }
  return gaps.size <= 1 || PRINTED.test(groups.join(' '));
}

/** A double has no more significant digits. */
const MAX_DOUBLE_DIGITS = 17;

/** A number such as 0.4111111111111111, of which the digits are a part or all. */
function isDecimal(text: string, from: number, to: number): boolean {
  const [before = ''] = /\d*\.?$/.exec(text.slice(Math.max(0, from - 20), from)) ?? [];
  const number = before + text.slice(from, to);
  const start = from - before.length;
  const isLonger = /[\w.]-?$/.test(text.slice(Math.max(0, start - 2), start));
  return (
    !isLonger &&
    /^\d+\.\d+$/.test(number) &&
    /^(?:e[+-]?\d|\W|$)/i.test(text.slice(to, to + 4)) &&
    number.replace(/^[0.]+|\./g, '').length <= MAX_DOUBLE_DIGITS
  );
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
  const [before = ''] = /[\da-f]*$/i.exec(text.slice(Math.max(0, from - 128), from)) ?? [];
  const [after = ''] = /^[\da-f]*/i.exec(text.slice(to, to + 128)) ?? [];
  const word = before + text.slice(from, to) + after;
  return DIGEST_LENGTHS.includes(word.length) && /^(?=.*[a-f])[\da-f]+$/i.test(word);
}
