/**
 * The text of a number in a workbook, as its spreadsheet shows it: what a person saw is what is taken. Three things are
 * plainer than on the screen, where the language of the program decides: a day is `2026-03-31`, the decimal mark is a
 * point, and nothing stands between thousands.
 *
 * Source: ECMA-376-1, 18.8.30 (formats) and 18.17.4.1 (days and times as numbers).
 */
import { addLocale, dateFromSerial, format, getFormatDateInfo, getFormatInfo } from 'numfmt';

/** A spreadsheet keeps this many significant digits of a number. Further ones come from its calculations. */
const KEPT_DIGITS = 15;
const LONGEST = 10 ** KEPT_DIGITS;
/** The days between the first days of the two calendars that a workbook may have. */
const FROM_1904 = 1462;

/** Numbers with a point and nothing between thousands, under a name that ISO 639-2 leaves free. */
const PLAIN = 'qaa';
addLocale({ decimal: '.', group: '' }, PLAIN);

/** Formats that show a number as it is, if there is room. */
const UNFORMATTED: readonly string[] = ['general', 'text', 'scientific', 'fraction'];

/**
 * @param value as it is stored
 * @param code of the cell's format, such as `#,##0.00`
 * @param is1904 whether the workbook counts days from 1904
 */
export function numberText(value: number, code: string, is1904: boolean): string {
  const exact = Number(value.toPrecision(KEPT_DIGITS));
  const { type, isDate } = getFormatInfo(code);
  if (isDate || type === 'time') return momentText(value, code, is1904);
  if (!UNFORMATTED.includes(type)) return plain(code, exact);
  // A longer number has lost digits. An exponent says so, as it does in a CSV file.
  return Math.abs(exact) < LONGEST ? String(exact) : exact.toExponential().toUpperCase();
}

/** @param code whose language would decide about the decimal mark: `[$€-407]` is the euro as it is written in German */
function plain(code: string, value: number): string {
  const withoutLanguage = code.replaceAll(/\[\$([^[\]-]*)-[^[\]]*\]/g, '[$$$1]');
  return format(withoutLanguage, value, { locale: PLAIN }).trim();
}

/** A day without a year stays as it is shown: a spreadsheet makes it of `3-4`, so that nobody wrote a day. */
function momentText(value: number, code: string, is1904: boolean): string {
  const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(code);
  if (!year && !month && !day) return plain(code, value);
  const serial = is1904 ? value + FROM_1904 : value;
  if (!year || !month || !day) return plain(code, serial);
  const [inYear, ...rest] = dateFromSerial(serial);
  const [inMonth, onDay, ...clock] = rest.map((part) => String(part).padStart(2, '0'));
  const date = [inYear, inMonth, onDay].join('-');
  return hours || minutes || seconds ? `${date} ${clock.join(':')}` : date;
}
