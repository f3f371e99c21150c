/** Reads decimals as spreadsheets write them. */

import { trimText } from '../../base/clean-text.ts';
import { currencyExponent } from '../../contract/currency.ts';
import {
  amountIn,
  type DecimalMark,
  NumberColumn,
  readingsOf,
} from '../../contract/number-column.ts';
import { type DecimalFault, decimalAmount } from '../body/decimal-amount.ts';

/** Three digits after a comma may also be thousands. */
const THOUSANDS = 3;

/**
 * Reads a cell of the column `decimal_amount`. A mark that may stand before decimals or thousands is read only if the
 * other cells of the column tell which.
 * @param currency ISO 4217 code that says how many decimals there are
 * @param mark the mark of the decimals that the cells of the column prove, if they do
 * @returns minor units, from 1 to MAX_AMOUNT; or the fault, as the rest of a sentence
 */
export function readDecimalCell(
  text: string,
  currency: unknown,
  mark?: DecimalMark,
): number | Pick<DecimalFault, 'what' | 'code'> {
  const read = withPoint(text, currency, mark);
  if (typeof read !== 'string')
    return {
      code: 'amount-invalid',
      what: `decimal_amount ${JSON.stringify(text)} may be ${read.readings.join(' or ')}, and nothing tells which: write it without a separator of thousands`,
    };
  const amount = decimalAmount(read, currency, 'decimal_amount');
  if (typeof amount === 'number') return amount;
  const { code, what, next, isHow } = amount;
  // The advice for the other faults is a flag, which cannot apply to one row.
  return { code, what: isHow ? `${what} (${next.replace(/\.$/, '')})` : what };
}

/** @returns the mark before the decimals of a column that its cells prove; undefined if they prove none, or both */
export function markOfColumn(cells: Iterable<string>): DecimalMark | undefined {
  const column = new NumberColumn();
  for (const cell of cells) column.add(cell);
  return column.mark;
}

/**
 * @returns whether a column has amounts of money, which minor units cannot be: some have decimals or a currency. All may be
 *   below zero, as books have what is given back
 */
export function isMoneyColumn(cells: readonly string[]): boolean {
  const column = new NumberColumn();
  const numbers = cells.filter((cell) => column.add(cell)).map(withoutSign);
  const isOneSign = !column.hasSign || column.isBelow;
  return column.open === undefined && isOneSign && numbers.some((cell) => /\D/.test(cell));
}

/** @returns whether cells are numbers, and all of them below zero */
export function areBelow(cells: Iterable<string>): boolean {
  const column = new NumberColumn();
  for (const cell of cells) if (!column.add(cell)) return false;
  return column.isBelow;
}

/** @param cell a number, with a minus on either side or in parentheses. @returns it without these */
export function withoutSign(cell: string): string {
  return trimText(cell.replaceAll(/[-+()\u2212\u2013\uff0d]/g, ''));
}

/**
 * @param mark of the column's decimals
 * @returns the text with a point before decimals, and no separators; the text itself if it cannot be read so
 */
function withPoint(text: string, currency: unknown, mark?: DecimalMark): string | Ambiguous {
  const spaced = text.replaceAll(/\s/g, ' ');
  const { body } = amountIn(spaced);
  const readings = readingsOf(body);
  const { '.': point, ',': comma } = readings;
  const exponent = exponentOf(currency);
  const isOwnForm = body === point;
  // A point is how gw itself writes decimals: that the column has commas elsewhere is not enough against it.
  if (isOwnForm && (mark !== ',' || comma === point || comma === undefined)) return text;
  const isOpen = point !== undefined && comma !== undefined && point !== comma;
  if (isOpen && (mark === undefined || (isOwnForm && exponent >= THOUSANDS)))
    return { readings: [point, comma] };
  const read = mark === undefined ? (point ?? comma) : readings[mark];
  if (read === undefined) return text;
  const isDoubtful = read !== point && !isFraction(read, exponent);
  return isDoubtful ? text : spaced.replace(body, () => read);
}

function exponentOf(currency: unknown): number {
  return (typeof currency === 'string' ? currencyExponent(currency) : undefined) ?? 0;
}

/** @returns whether digits behind a comma may be the decimals of a currency with so many */
function isFraction(read: string, exponent: number): boolean {
  const { length } = read.split('.')[1] ?? '';
  return length !== THOUSANDS && length <= exponent;
}

interface Ambiguous {
  readings: readonly string[];
}
