/**
 * Finds card numbers in any text by their shape, and known ones by their digits. The text is searched as it is, so JSON
 * must be decoded first.
 *
 *   separator  what a keyboard, a typesetter or a web page puts between digits: a space, hyphen, dot, slash or
 *              underscore of any width, a tab, a line end, a tag, and these as an address, HTML or JSON escapes them
 *   stretch    ASCII digits with up to three separators between two of them
 *   group      digits without a gap
 *   number     whole groups of a stretch with an issuer, a length and a check digit. Either the same space, hyphen or
 *              dot is between all of them, or they are the groups that are printed on cards.
 *
 * A number attached to letters counts (`P-4111111111111111`, `B4111111111111111^`), but not in a digest or a UUID.
 * Digits attached to more digits do not count. Otherwise one in four numbers longer than a card's would contain one.
 * docs/technical-decisions.md has the figures.
 */
import { hasIssuer, passesLuhn } from './card-number.ts';

/** Longest first, because the longest number that begins at a digit counts. */
const LENGTHS = [19, 18, 17, 16, 15, 14, 13, 12];
const SHORTEST = 12;

const ZERO = '0'.charCodeAt(0);
const NINE = '9'.charCodeAt(0);

/** Spaces, hyphens, dashes, dots and bullets of any width, invisible ones, and `_`, `/`, `+`. */
const CHARACTER = String.raw`[ .\-_/+\u0085\u00a0\u00ad\u00b7\u1680\u2000-\u2015\u2022\u2024\u2027-\u202f\u205f-\u2064\u2212\u3000\u301c\u30fb\ufe58\ufe63\ufeff\uff0d\uff0e\uff5e]`;
/** A line end of Windows, a tag without digits, and what escapes a character in an address, in HTML and in JSON. */
const ESCAPES = new RegExp(
  [
    String.raw`\r\n`,
    '</?[a-zA-Z][^<>0-9]{0,30}>',
    '%(?:2[0-9bdefBDEF]|0[9adAD]|[cC]2%(?:[aA]0|[aA][dD]|[bB]7)|[eE]2%8[08]%[89aA][0-9a-fA-F]|[eE]3%80%80)',
    '&(?:[a-zA-Z]{2,8}|#[0-9]{2,5}|#[xX][0-9a-fA-F]{2,4});',
    String.raw`\\{1,4}(?:[nrt/]|u[0-9a-fA-F]{4})`,
  ].join('|'),
  'g',
);
/** Fills the place of an escape after one space, so that digits stay where they are. */
const FILLER = '\0';
/** The fillings of escapes, by their lengths: a page has a thousand of them. */
const FILLED: string[] = [];
const SEPARATOR = String.raw`(?:${CHARACTER}|[\n\r\t\v\f])`;
const STRETCH = new RegExp(String.raw`\d(?:(?:${SEPARATOR}|\0)*\d){11,}`);
const STRETCHES = new RegExp(STRETCH, 'g');
const TOO_WIDE = new RegExp(String.raw`(?:${SEPARATOR}\0*){4,}`, 'g');

interface Stretch {
  digits: string;
  /** Position of each digit in the text, in UTF-16 units. */
  places: number[];
  /** The separators before each digit; empty inside a group. */
  gaps: string[];
}

/** Digits of a stretch: the first, and the one after the last. */
interface DigitSpan {
  from: number;
  to: number;
}

/** @returns whether a text contains a card number */
export function holdsCardNumber(text: string): boolean {
  return maskCardNumbers(text) !== text;
}

/**
 * @returns the text with all but the first six and last four digits of card numbers replaced by X. Everything between
 *   the digits stays. The same string if there are none.
 */
export function maskCardNumbers(text: string): string {
  return masked(text, numbersIn);
}

/**
 * Masks card numbers in rows and lines of several values, where tabs, line ends and several spaces are between values.
 * @param isNone returns true for digits that look like a card number but need no mask
 */
export function maskOnPage(text: string, isNone?: (digits: string) => boolean): string {
  const find: typeof numbersIn = (whole, stretch) =>
    numbersIn(whole, stretch).filter((found) => !isLaidOut(stretch, found));
  return masked(text, find, isNone);
}

/**
 * @param numbers digits of cards, whatever they look like; ignores numbers shorter than a card's
 * @returns the text with each of them masked everywhere, even inside longer digits and with any of the gaps
 */
export function maskKnownNumbers(text: string, numbers: ReadonlySet<string>): string {
  if (numbers.size === 0) return text;
  return masked(text, (_, { digits }) => {
    const found: DigitSpan[] = [];
    for (let from = 0; from + SHORTEST <= digits.length; from++) {
      const length = LENGTHS.find((length) => {
        const number = digits.slice(from, from + length);
        return number.length === length && numbers.has(number);
      });
      if (length === undefined) continue;
      found.push({ from, to: from + length });
      from += length - 1;
    }
    return found;
  });
}

/** @returns the digits of each card number that `maskCardNumbers` finds */
export function cardNumbersIn(text: string): string[] {
  return stretchesIn(text).flatMap((stretch) =>
    numbersIn(text, stretch).map(({ from, to }) => stretch.digits.slice(from, to)),
  );
}

function masked(
  text: string,
  find: (text: string, stretch: Stretch) => readonly DigitSpan[],
  isNone?: (digits: string) => boolean,
): string {
  let safe = '';
  let end = 0;
  for (const stretch of stretchesIn(text)) {
    for (const { from, to } of find(text, stretch)) {
      if (isNone?.(stretch.digits.slice(from, to))) continue;
      for (const place of stretch.places.slice(from + 6, to - 4)) {
        safe += `${text.slice(end, place)}X`;
        end = place + 1;
      }
    }
  }
  return end === 0 ? text : safe + text.slice(end);
}

const NONE: readonly Stretch[] = [];

/** @returns the stretches that are long enough for a number */
function stretchesIn(text: string): readonly Stretch[] {
  if (text.length < SHORTEST) return NONE;
  const plain = /[%&<\\\r]/.test(text)
    ? text.replace(ESCAPES, ({ length }) => (FILLED[length] ??= ' '.padEnd(length, FILLER)))
    : text;
  // Most texts have none, and their gaps need no look.
  if (!STRETCH.test(plain)) return NONE;
  const parted = plain.replace(TOO_WIDE, (gap) => 'x'.repeat(gap.length));
  return [...parted.matchAll(STRETCHES)].map(({ 0: written, index }) => {
    const places: number[] = [];
    for (let i = index; i < index + written.length; i++) if (isDigit(parted, i)) places.push(i);
    const gaps = places.map((place, i) => (i === 0 ? ' ' : text.slice(places[i - 1]! + 1, place)));
    return { digits: written.replace(/\D/g, ''), places, gaps };
  });
}

function isDigit(text: string, i: number): boolean {
  const code = text.charCodeAt(i);
  return code >= ZERO && code <= NINE;
}

function numbersIn(text: string, stretch: Stretch): DigitSpan[] {
  const found: DigitSpan[] = [];
  for (let from = 0; from + SHORTEST <= stretch.digits.length; from++) {
    if (!isBetweenGroups(stretch, from)) continue;
    const length = LENGTHS.find((length) => isNumber(text, stretch, { from, to: from + length }));
    if (length === undefined) continue;
    found.push({ from, to: from + length });
    from += length - 1;
  }
  return found;
}

/** @returns whether a group begins at the digit, or ends before it */
function isBetweenGroups({ gaps }: Stretch, digit: number): boolean {
  return gaps[digit] !== '';
}

/** The same one of these may be between any groups. */
const PLAIN_GAPS = new Set([' ', '-', '.']);
const SINGLE = new RegExp(`^${CHARACTER}$`);
/** The groups that are printed on cards, as a shape. Dates and amounts in a row form other groups. */
const PRINTED =
  /^.(?:d{4}(?:\|d{4}){3}(?:\|d{1,3})?|d{4}\|d{6}\|d{4,5}|d{4}(?:\|d{4}){2}|d{6}\|d{13})$/;

function isNumber(text: string, stretch: Stretch, found: DigitSpan): boolean {
  const { from, to } = found;
  const number = stretch.digits.slice(from, to);
  if (number.length < to - from || !isBetweenGroups(stretch, to)) return false;
  if (!hasIssuer(number) || !passesLuhn(number)) return false;
  const gaps = gapsIn(stretch, found);
  const isSame = new Set(gaps).size <= 1 && gaps.every((gap) => PLAIN_GAPS.has(gap));
  if (!isSame && !isPrinted(stretch, found)) return false;
  return !isOther(text, stretch.places[from]!, stretch.places[to - 1]! + 1, gaps.join(''));
}

function gapsIn({ gaps }: Stretch, { from, to }: DigitSpan): string[] {
  return gaps.slice(from + 1, to).filter((gap) => gap !== '');
}

/** @returns whether a tab, a line end or several separators are between two groups */
function isLaidOut(stretch: Stretch, found: DigitSpan): boolean {
  return gapsIn(stretch, found).some((gap) => !SINGLE.test(gap));
}

/**
 * The tabs and line ends between groups on several lines or in several cells are also between the numbers of a column or a row. There,
 * two more groups of four digits precede or follow the possible card number.
 */
function isPrinted(stretch: Stretch, found: DigitSpan): boolean {
  const { from, to } = found;
  const own = new Set(gapsIn(stretch, found));
  /** A `d` for each digit, after `|` where a group begins behind one of the same gaps. */
  const shape = (first: number, end: number) =>
    stretch.gaps
      .slice(Math.max(0, first), end)
      .map((gap) => (gap === '' ? 'd' : own.has(gap) ? '|d' : ' d'))
      .join('');
  if (!PRINTED.test(shape(from, to))) return false;
  const isInTable =
    /^\|d{4}\|d{4}(?!d)/.test(shape(to, to + 9)) ||
    /^.d{4}\|d{4}\|d$/.test(shape(from - 8, from + 1));
  return !isInTable || !isLaidOut(stretch, found);
}

/** Longer than any phone number in use, and shorter than a card number after the `+` of a form. */
const MAX_PHONE_DIGITS = 14;

/** @returns whether a possible card number is another number, or part of one */
function isOther(text: string, start: number, end: number, gaps: string): boolean {
  const digits = end - start - gaps.length;
  const isPhone = text[start - 1] === '+' && digits <= MAX_PHONE_DIGITS;
  const isFraction = text[start - 1] === '.' && isDigit(text, start - 2) && gaps === '';
  return isPhone || isFraction || gaps === '.' || isInDigest(text, start, end, digits);
}

/** Number of hexadecimal digits in a UUID and in the shortest digest, MD5. */
const SHORTEST_DIGEST = 32;
/** Characters examined on either side; a SHA-512 has that many. */
const LONGEST_DIGEST = 128;
const HEX = /[\da-f-]/i;

function isInDigest(text: string, start: number, end: number, digits: number): boolean {
  let from = start;
  while (from > 0 && start - from < LONGEST_DIGEST && HEX.test(text[from - 1]!)) from--;
  let to = end;
  while (to < text.length && to - end < LONGEST_DIGEST && HEX.test(text[to]!)) to++;
  const around = `${text.slice(from, start)}${text.slice(end, to)}`.replaceAll('-', '');
  return around.length + digits >= SHORTEST_DIGEST && /[a-f]/i.test(around);
}
