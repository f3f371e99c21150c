/**
 * Spreadsheets change texts when they open a CSV file and save it. They read `00777` and `2E5` as numbers, keep
 * 15 digits of them, and read `3-4`, `2026-03` and `12:30` as dates and times. Some drop a `'` before the text. The
 * language decides about the decimal mark and the order of day and month. What any of LibreOffice, gnumeric and Excel
 * makes in any language counts here.
 *
 * Each money request loads this file, and Node takes a while to make a pattern with `\p`: so these stand where they are
 * needed.
 */

/** The significant digits that a spreadsheet keeps of a number: some programs cut it, some round it. */
const KEPT_DIGITS = 15;
/** Spreadsheets write a longer number in scientific notation. */
const LONGEST_NUMBER = 18;
/** Spreadsheets read 0 for a number with more zeros after the decimal mark. */
const SMALLEST_LENGTH = -307;
/** Spreadsheets keep two or three decimals of a second. */
const ROUNDED = 0.005;

/**
 * @returns whether only a spreadsheet writes this, in place of what was in the cell: scientific notation with a sign,
 *   `="0077"`, an error such as `#N/A` or `Err:502`, a column that is too narrow
 */
export function isOnlyOfSpreadsheets(text: string): boolean {
  return /^(?:[-+]?\d(?:[.,]\d+)?E\+\d{2,}|[-+]?\d[.,]\d+E-\d{2,}|=["\w(+-].*|#(?:N\/A|N\/D|NV|[\p{L}\d_/]+[!?])|Err:\d{3}|#{3,})$/isu.test(
    text,
  );
}

/** A number that every program writes as it was. */
const STABLE = /^-?(?:0|[1-9]\d{0,10})(?:\.\d{0,3}[1-9])?$/;

/** @returns whether a spreadsheet may change the text */
export function isFragile(text: string): boolean {
  return spreadsheetKey(text) !== text && !STABLE.test(text);
}

const PRINTABLE_ASCII = /^[ -~]*$/;
/** Printable, and without an apostrophe at its beginning, which some programs drop. */
const PLAIN = /^(?!')[ -~]*$/;

/**
 * Tells more than `isFragile`, because nothing is lost by taking a text for a value here: a number that every program
 * keeps is no text to it all the same, and so is whatever has digits, no letters and no star.
 * @returns whether a spreadsheet may read a text as a number, a date, a time, a truth or an error
 */
export function mayBeRead(text: string): boolean {
  // A number beside what may be the sign of a currency in some language: `R501` and `R-501` are money in South Africa.
  const withCurrency =
    /^(?=.*\d)(?:\p{L}{0,3}[.$]?\s?|(?:\p{L}{1,2}|CHF)\s?[-+])[\d.,]+[-+]?\s?\p{L}{0,3}[-+]?$/u;
  if (isOnlyOfSpreadsheets(text) || withCurrency.test(text)) return true;
  // Words of dates and times, with a letter that may stand for one in a number or a time.
  const wordsOfDates =
    /(?:jan|feb|mar|mär|mrz|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|sun|mon|tue|wed|thu|fri|sat)\p{L}*|[ap]m|[etz]/giu;
  const hasWords = /[\p{L}*]/u.test(text.replace(wordsOfDates, ''));
  // Most texts are told by this, which takes a tenth of the time.
  if (hasWords && PLAIN.test(text)) return IS_TRUTH.test(text);
  return spreadsheetKey(text) !== text || (/\d/.test(text) && !hasWords);
}

/** @returns whether a spreadsheet makes one of the texts of the other, or both of a third one */
export function isSameInSpreadsheet(one: string, other: string): boolean {
  return isMadeInSpreadsheet(one, other) || isMadeInSpreadsheet(other, one);
}

/** @returns whether a spreadsheet may write `made` where `text` was; any text for the same number counts */
export function isMadeInSpreadsheet(made: string, text: string): boolean {
  const [a, b] = [readingOf(made), readingOf(text)];
  if (a.moment && b.moment) return isMadeOf(a.moment, b.moment);
  if (a.word !== undefined) return a.word === b.word;
  const isOneOf = ({ numbers, kept }: Reading, other: Reading) =>
    [...numbers, ...kept].some((number) => other.numbers.includes(number));
  return isOneOf(a, b) || isOneOf(b, a);
}

/** @returns one of the `spreadsheetKeys` of every text that is the same in a spreadsheet */
export function spreadsheetKey(text: string): string {
  return keyOfReading(readingOf(text));
}

function keyOfReading({ word, numbers, moment }: Reading): string {
  return word ?? (moment ? keyOfMoment(moment) : keyOf(numbers[0]));
}

/** @returns the `spreadsheetKey` of every text that is the same in a spreadsheet, its own first */
export function spreadsheetKeys(text: string): string[] {
  const reading = readingOf(text);
  const { numbers, kept, moment } = reading;
  const rounded = moment ? [keyOfMoment(moment, -ROUNDED), keyOfMoment(moment, ROUNDED)] : [];
  const own = keyOfReading(reading);
  const all = [own, ...kept.map(keyOf), ...rounded];
  const [digits = '', length = 0] = numbers[0]?.split(/[e-]/) ?? [];
  const more = Math.max(0, Number(length) - KEPT_DIGITS);
  if (digits === '' || digits.length > KEPT_DIGITS || more > LONGEST_NUMBER - KEPT_DIGITS)
    return all;
  // Whatever becomes this number when it is cut or rounded. Of decimals, a key has no more than are kept.
  const size = Math.max(Number(length), KEPT_DIGITS + 1);
  const below = Math.max(1, 10 ** more / 2);
  const least = BigInt(digits.padEnd(size, '0')) - BigInt(below);
  const longer = Array.from({ length: 3 * below }, (_, n) => `${least + BigInt(n)}e${length}`);
  return [...new Set([...all, ...longer.map(keyOf)])];
}

/** @returns the digits alone, because the language says where the decimal mark is */
function keyOf(number = ''): string {
  const [digits = '', length] = number.split(/[e-]/);
  return `#${withoutLastZeros(digits.slice(0, Math.max(KEPT_DIGITS, Number(length))))}`;
}

/** @returns the numbers that are there whatever a spreadsheet adds to a date, and the second */
function keyOfMoment({ parts, time }: Moment, more = 0): string {
  const kept = parts.filter((part) => part > 1 && part < 20).sort((a, b) => a - b);
  return `#date ${kept.join()} ${Math.floor(time + more)}`;
}

/** A text as a spreadsheet reads it. */
interface Reading {
  word?: string;
  /** In each language, as in `numberOf`: `1.234` is 1234 in German. */
  numbers: readonly string[];
  /** The numbers that programs may write for one with too many digits. */
  kept: readonly string[];
  moment?: Moment;
}

/** A date, a time or both. */
interface Moment {
  /** The numbers of the date in their order, with two digits of the year. */
  parts: readonly number[];
  /** The marks between the numbers of the date, and the place of a year of four digits; of a time alone, its marks. */
  form: string;
  /** Whether it names a month or has a year of four digits. */
  isDated: boolean;
  /** The seconds since midnight; 0 for a date alone. */
  time: number;
}

const NUMBER =
  /^(\(?)[$€£¥]? ?([-+]?)[$€£¥]? ?([\d.,]*\d[.,]?)(?:E([-+]?\d{1,9}))? ?([%$€£¥]?)\)?$/i;
const FRACTION = /^([-+]?)(\d{1,9}) +(\d{1,3})\/([1-9]\d{0,2})$/;
const GROUPED = /^(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d*)?$/;
const MARKS: Readonly<Record<string, string>> = { '.': ',', ',': '.' };
/** `TRUE` and `FALSE` in English, German and French. */
const TRUTHS = ['true wahr vrai', 'false falsch faux'];
const IS_TRUTH = new RegExp(`^(?:${TRUTHS.join(' ').replaceAll(' ', '|')})$`, 'i');
const MONTHS = 'jan feb mar|mär|mrz apr may|mai jun jul aug sep oct|okt nov dec|dez'
  .split(' ')
  .map((names) => names.split('|'));
/** The most letters after those of a month's name: `September`. */
const MORE_LETTERS = 6;

const COMPACT = /^(\d{4})(\d\d)(\d\d)t(\d\d)(\d\d)/;
const TIME =
  /(?:^|[ t])([-+]?)(\d{1,6}(?::\d\d?){1,2}:?(?:[.,]\d{1,9})?|\d\d?(?= ?[ap]m)) ?([ap]m|z)?$/;

/** ASCII letters in a row that are in no number, and in no date or time of any language. */
const OTHER_WORD =
  /(?<![a-z])(?!(?:jan|feb|mar|mrz|apr|may|mai|jun|jul|aug|sep|o[ck]t|nov|de[cz]|sun|mon|tue|wed|thu|fri|sat)|(?:[ap]m|[etz])(?![a-z]))[a-z]/i;

function readingOf(written: string): Reading {
  const isAscii = PRINTABLE_ASCII.test(written);
  const ascii = isAscii ? written : written.normalize('NFKC').replaceAll(/[^\P{Nd}0-9]/gu, digitOf);
  const text = ascii.replace(/^="(.*)"$|^'+/s, '$1').replace(FRACTION, decimalOf);
  // Most texts are told by this, which takes a tenth of the time.
  if (isAscii && OTHER_WORD.test(text))
    return { numbers: [], kept: [], word: truthOf(text) ?? text };
  const [, open, sign, body = '-', power = 0, unit] = NUMBER.exec(text) ?? [];
  const isNegative = open === '(' || sign === '-';
  const kept: string[] = [];
  const inEachLanguage = [body, body.replaceAll(/[.,]/g, (mark) => MARKS[mark] ?? '')];
  const numbers = inEachLanguage.flatMap((number) => {
    if (!GROUPED.test(number)) return [];
    const [whole = '', decimals = ''] = number.replaceAll(',', '').split('.');
    const digits = (whole + decimals).replace(/^0+/, '');
    const length = digits.length - decimals.length + Number(power) - (unit === '%' ? 2 : 0);
    const cut = digits.slice(0, KEPT_DIGITS);
    if (/[1-9]/.test(digits.slice(KEPT_DIGITS)))
      for (const few of [cut, String(BigInt(cut) + 1n)])
        kept.push(numberOf(few, length + few.length - KEPT_DIGITS, isNegative));
    return [numberOf(digits, length, isNegative)];
  });
  if (numbers.length > 0) return { numbers, kept };
  const moment = momentOf(text.toLowerCase());
  return { numbers, kept, ...(moment ? { moment } : { word: truthOf(text) ?? text }) };
}

function truthOf(text: string): string | undefined {
  if (!IS_TRUTH.test(text)) return undefined;
  return TRUTHS.find((words) => words.split(' ').includes(text.toLowerCase()));
}

/** @param digit of any script: those of one have places from 0 or 6 in a row of 16 of Unicode */
function digitOf(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  const place = point % 16;
  const isFromZero = /\p{Nd}/u.test(String.fromCodePoint(point - place));
  return String(isFromZero ? place : place - 6);
}

/** @param found of `FRACTION` */
function decimalOf(...[, sign = '', whole, part, of]: string[]): string {
  return sign + (Number(whole) + Number(part) / Number(of)).toPrecision(KEPT_DIGITS);
}

/** @returns the digits without zeros at their end, how many are before the decimal mark, and the sign; '' for 0 */
function numberOf(digits: string, length: number, isNegative: boolean): string {
  const short = length < SMALLEST_LENGTH ? '' : withoutLastZeros(digits);
  return short === '' ? '' : `${short}e${length}${isNegative ? '-' : ''}`;
}

function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

function momentOf(written: string): Moment | undefined {
  const text = written
    .replace(COMPACT, '$1-$2-$3t$4:$5:')
    .replace(/^(?:sun|mon|tue|wed|thu|fri|sat)\p{L}*,? /u, '');
  const found = TIME.exec(text);
  const [, sign, clock = '', half] = found ?? [];
  const time = found ? secondsOf(clock, half) : 0;
  const words = text.slice(0, found?.index).match(/\d+|\p{L}+|[^\d\p{L}]+/gu) ?? [];
  const between = words.filter((word) => /^[-/., ]{1,2}$/.test(word));
  const parts = words.filter((word) => !between.includes(word));
  const months = parts.map((part) => monthOf(part));
  const isNamed = months.some((month) => month > 0);
  const year = parts.findIndex((part) => /^\d{4}$/.test(part));
  const isRead = parts.every((part, i) => /^\d\d?$/.test(part) || i === year || months[i]);
  const isTime = found?.index === 0;
  if (!isRead || !(isTime || parts.length === 2 || parts.length === 3)) return undefined;
  return {
    parts: parts.map((part, i) => months[i] || Number(part) % 100),
    form: isTime ? clock.replaceAll(/\d/g, '') : `${between.join('')}${isNamed} ${year}`,
    isDated: isNamed || year >= 0,
    time: Number((sign === '-' ? 86_400 - time : time).toFixed(9)),
  };
}

/** @param clock such as `100:30` or, in minutes and seconds, `10:30.5` @param half of the day: `am` or `pm` */
function secondsOf(clock: string, half = 'z'): number {
  const fields = clock.replace(',', '.').split(':').map(Number);
  const [hour = 0] = fields;
  const unit = /[.,]/.test(clock) ? 1 : 60 ** (3 - fields.length);
  const from = half === 'z' ? hour : (hour % 12) + (half === 'pm' ? 12 : 0);
  return unit * fields.reduce((sum, field) => sum * 60 + field) + (from - hour) * 3600;
}

/** @param word of letters, or none @returns the number of a month by its name, from 1; 0 for any other word */
function monthOf(word: string): number {
  const isNamed = (name: string) =>
    word.startsWith(name) && word[name.length] !== 'k' && word.length <= name.length + MORE_LETTERS;
  return 1 + MONTHS.findIndex((names) => names.some(isNamed));
}

/** @returns whether one may be what a spreadsheet writes for another: with the day, the year or the seconds added */
function isMadeOf(made: Moment, from: Moment): boolean {
  const times = [2, 3, 9].map((decimals) => Number(from.time.toFixed(decimals)));
  if (!times.includes(made.time)) return false;
  // A program always writes the seconds of a time.
  if (from.parts.length === 0) return made.parts.length === 0 && made.form.length > 1;
  if (made.form === from.form) return made.parts.join() === from.parts.join();
  const added = [...made.parts];
  for (const part of from.parts) {
    const place = added.indexOf(part);
    if (place === -1) return false;
    added.splice(place, 1);
  }
  if (made.parts.length < 3 && !made.isDated) return false;
  return added.every((part) => part === 0 || part >= 20 || (part === 1 && from.isDated));
}
