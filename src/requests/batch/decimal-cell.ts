/** Decimals as spreadsheets have them. */
import { quotedText } from '../../base/shell.ts';
import { type DecimalFault, decimalAmount } from '../../cli/body/decimal-amount.ts';
import { currencyExponent } from '../../contract/currency.ts';

/** Three digits behind a comma are as well thousands. */
const THOUSANDS = 3;

/**
 * Reads the cell of a column `decimal_amount`. A comma is read as a point where it can be nothing else; what
 * might be a thousands separator never is.
 * @param currency ISO 4217 code that says how many decimals there are
 * @returns minor units, from 1 to MAX_AMOUNT; or what is wrong, as the rest of a sentence
 */
export function readDecimalCell(
  text: string,
  currency: unknown,
): number | Pick<DecimalFault, 'what' | 'code'> {
  const amount = decimalAmount(withPoint(text, currency), currency, 'decimal_amount');
  if (typeof amount === 'number') return amount;
  const { code, what, next, isHow } = amount;
  // Elsewhere what is to be done is a flag, which is not for one row.
  if (code !== 'amount-invalid' || /^\d+(?:\.\d+)?$/.test(text))
    return { code, what: isHow ? `${what} (${next.replace(/\.$/, '')})` : what };
  const form = `decimal_amount is ${quotedText(text)}, not digits with at most a decimal point: write 1234.50, without thousands separators, sign or currency`;
  return { code, what: form };
}

function withPoint(text: string, currency: unknown): string {
  const decimals = /^\d+,(\d+)$/.exec(text)?.[1]?.length ?? 0;
  const exponent = typeof currency === 'string' ? currencyExponent(currency) : undefined;
  const isDecimal = decimals > 0 && decimals !== THOUSANDS && decimals <= (exponent ?? 0);
  return isDecimal ? text.replace(',', '.') : text;
}
