/**
 * Finds card numbers in any text by their shape, and known ones by their digits. The text is searched as it is, so JSON
 * must be decoded first.
 *
 *   stretch   ASCII digits with nothing, or one space, hyphen or dot, between two of them
 *   group     digits without a gap
 *   number    whole groups of a stretch with an issuer, a length and a check digit, and with the same gap
 *             everywhere or four groups of four digits
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
const STRETCH = /\d(?:[ .-]?\d){11,}/;
const STRETCHES = /\d(?:[ .-]?\d){11,}/g;

interface Stretch {
  digits: string;
  /** Position of each digit in the text, in UTF-16 units. */
  places: number[];
}

/** Digits of a stretch: the first, and the one after the last. */
interface Found {
  from: number;
  to: number;
}

/** @returns whether a text contains a card number */
export function holdsCardNumber(text: string): boolean {
  return maskCardNumbers(text) !== text;
}

/**
 * @param isNone returns true for digits that look like a card number but need no mask
 * @returns the text with all but the first six and last four digits of card numbers replaced by X. Everything between
 *   the digits stays. The same string if there are none.
 */
export function maskCardNumbers(text: string, isNone?: (digits: string) => boolean): string {
  return masked(text, numbersIn, isNone);
}

/**
 * @param numbers digits of cards, whatever they look like; ignores numbers shorter than a card's
 * @returns the text with each of them masked everywhere, even inside longer digits and with any of the gaps
 */
export function maskKnownNumbers(text: string, numbers: ReadonlySet<string>): string {
  if (numbers.size === 0) return text;
  return masked(text, (_, { digits }) => {
    const found: Found[] = [];
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
  if (!mayHold(text)) return [];
  return stretchesIn(text).flatMap((stretch) =>
    numbersIn(text, stretch).map(({ from, to }) => stretch.digits.slice(from, to)),
  );
}

function masked(
  text: string,
  find: (text: string, stretch: Stretch) => readonly Found[],
  isNone?: (digits: string) => boolean,
): string {
  if (!mayHold(text)) return text;
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

function mayHold(text: string): boolean {
  return text.length >= SHORTEST && STRETCH.test(text);
}

/** @returns the stretches that are long enough for a number */
function stretchesIn(text: string): Stretch[] {
  return [...text.matchAll(STRETCHES)].map(({ 0: written, index }) => {
    const places: number[] = [];
    for (let i = index; i < index + written.length; i++) if (isDigit(text, i)) places.push(i);
    return { digits: written.replace(/\D/g, ''), places };
  });
}

function isDigit(text: string, i: number): boolean {
  const code = text.charCodeAt(i);
  return code >= ZERO && code <= NINE;
}

function numbersIn(text: string, stretch: Stretch): Found[] {
  const { digits, places } = stretch;
  const found: Found[] = [];
  for (let from = 0; from + SHORTEST <= digits.length; from++) {
    if (!isBetweenGroups(places, from)) continue;
    const length = LENGTHS.find((length) => isNumber(text, stretch, from, from + length));
    if (length === undefined) continue;
    found.push({ from, to: from + length });
    from += length - 1;
  }
  return found;
}

/** @returns whether a group begins at the digit, or ends before it */
function isBetweenGroups(places: readonly number[], digit: number): boolean {
  return digit === 0 || digit === places.length || places[digit]! > places[digit - 1]! + 1;
}

/** Different gaps may occur only between these groups. Dates and amounts in a row form other groups. */
const FOUR_BY_FOUR = /^\d{4}(?:[ .-]\d{4}){3}$/;

function isNumber(text: string, { digits, places }: Stretch, from: number, to: number): boolean {
  if (to > digits.length || !isBetweenGroups(places, to)) return false;
  const number = digits.slice(from, to);
  if (!hasIssuer(number) || !passesLuhn(number)) return false;
  const [start, end] = [places[from]!, places[to - 1]! + 1];
  const written = text.slice(start, end);
  const gaps = written.replace(/\d/g, '');
  const isOne = new Set(gaps).size <= 1 || FOUR_BY_FOUR.test(written);
  return isOne && !isOther(text, start, end, gaps);
}

/** Longer than any phone number in use, and shorter than a card number after the `+` of a form. */
const MAX_PHONE_DIGITS = 14;

/** @returns whether a possible card number is another number, or part of one */
function isOther(text: string, start: number, end: number, gaps: string): boolean {
  const isPhone = text[start - 1] === '+' && end - start - gaps.length <= MAX_PHONE_DIGITS;
  const isFraction = text[start - 1] === '.' && isDigit(text, start - 2) && gaps === '';
  return isPhone || isFraction || gaps === '.' || isInDigest(text, start, end);
}

/** Number of hexadecimal digits in a UUID and in the shortest digest, MD5. */
const SHORTEST_DIGEST = 32;
/** Characters examined on either side; a SHA-512 has that many. */
const LONGEST_DIGEST = 128;
const HEX = /[\da-f-]/i;

function isInDigest(text: string, start: number, end: number): boolean {
  let from = start;
  while (from > 0 && start - from < LONGEST_DIGEST && HEX.test(text[from - 1]!)) from--;
  let to = end;
  while (to < text.length && to - end < LONGEST_DIGEST && HEX.test(text[to]!)) to++;
  const word = text.slice(from, to).replaceAll('-', '');
  return word.length >= SHORTEST_DIGEST && /[a-f]/i.test(word);
}
