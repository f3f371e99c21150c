/** Reads decimals as spreadsheets write them. */

import { currencyExponent } from '../../contract/currency.ts';
import { NumberColumn, readingsOf } from '../../contract/number-column.ts';
import { type DecimalFault, decimalAmount } from '../body/decimal-amount.ts';

/** Three digits after a comma may also be thousands. */
const THOUSANDS = 3;

/**
 * Reads a cell of the column `decimal_amount`. A comma is read as a decimal point only if it can be nothing else. A
 * possible thousands separator is never read as one.
 * @param currency ISO 4217 code that says how many decimals there are
 * @returns minor units, from 1 to MAX_AMOUNT; or the fault, as the rest of a sentence
 */
export function readDecimalCell(
  text: string,
  currency: unknown,
): number | Pick<DecimalFault, 'what' | 'code'> {
  const amount = decimalAmount(withPoint(text, currency), currency, 'decimal_amount');
  if (typeof amount === 'number') return amount;
  const { code, what, next, isHow } = amount;
  // The advice for the other faults is a flag, which cannot apply to one row.
  return { code, what: isHow ? `${what} (${next.replace(/\.$/, '')})` : what };
}

/** @returns whether a column has amounts of money, which minor units cannot be: some have decimals or a currency */
export function isMoneyColumn(cells: readonly string[]): boolean {
  const column = new NumberColumn();
  const numbers = cells.filter((cell) => column.add(cell));
  return column.open === undefined && !column.hasSign && numbers.some((cell) => /\D/.test(cell));
}

function withPoint(text: string, currency: unknown): string {
  if (!/^\d+,\d+$/.test(text)) return text;
  const { ',': decimal = '', '.': thousands } = readingsOf(text);
  const decimals = decimal.split('.')[1]?.length ?? 0;
  const exponent = typeof currency === 'string' ? currencyExponent(currency) : undefined;
  const isDecimal =
    thousands === undefined && decimals !== THOUSANDS && decimals <= (exponent ?? 0);
  return isDecimal ? decimal : text;
}
