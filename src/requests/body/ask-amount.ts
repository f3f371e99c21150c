/**
 * Asks for money as people say it: 25 and 25.00 are both 25.00 in a currency with two decimals. If nobody knows the
 * currency, gw asks for minor units instead. The answer is shown as the amount that gw understood.
 */

import { MINOR_UNITS } from '../../cli/flags/parse-number.ts';
import {
  currencyCode,
  currencyExponent,
  faultOfCurrency,
  faultOfWithdrawn,
} from '../../contract/currency.ts';
import { formatDecimal, MAX_AMOUNT, moneyText, parseDecimal } from '../../contract/money.ts';
import { amountIn } from '../../contract/number-column.ts';
import type { Questions } from '../questions.ts';
import { howToWrite, oneOf } from './decimal-amount.ts';

/**
 * @param isOfRefund whether it may be a withdrawn one, as that of an old purchase
 * @returns ISO 4217 code; undefined if the person does not say
 */
export async function askForCurrency(
  questions: Questions,
  isOfRefund = false,
): Promise<string | undefined> {
  const question = 'Currency (like AUD; empty to type minor units):';
  const typed = await questions.text(question, {
    check(value) {
      const code = currencyCode(value);
      const withdrawn = faultOfWithdrawn(code);
      if (withdrawn !== undefined) return isOfRefund || `This ${withdrawn}`;
      return code === '' || !faultOfCurrency(code) || 'Type a code of three letters, like AUD';
    },
    shown: currencyCode,
  });
  return currencyCode(typed) || undefined;
}

/**
 * @param currency ISO 4217 code; undefined asks for minor units
 * @param left the most that makes sense, in minor units
 * @returns minor units
 */
export async function askForAmount(
  questions: Questions,
  currency: string | undefined,
  left?: number,
): Promise<number> {
  const exponent = currencyExponent(currency ?? '');
  const isMinor = currency === undefined || exponent === undefined;
  const decimals = exponent ?? 0;
  const said = (minor: number) => (isMinor ? `${minor} minor units` : moneyText(minor, currency));
  const read = (typed: string) => {
    const { body, codes } = isMinor ? { body: typed.trim() } : amountIn(typed.trim());
    return !codes || codes.includes(currency ?? '') ? parseDecimal(body, decimals) : undefined;
  };
  const faultOf = (typed: string) => {
    const amount = read(typed);
    if (typed.trim() === '') return 'Type an amount';
    if (amount === undefined)
      return isMinor ? 'Minor units have digits only' : faultOfWriting(typed, decimals, currency);
    if (amount <= 0) return 'The amount must be above zero';
    if (amount > MAX_AMOUNT) return `At most ${said(MAX_AMOUNT)}`;
    return left === undefined || amount <= left || `Only ${said(left)} is left`;
  };
  const unit = isMinor ? `minor units${currency === undefined ? '' : ` of ${currency}`}` : currency;
  // An example without decimals would be taken for minor units, or for the amount.
  const how = isMinor ? MINOR_UNITS : howMany(decimals);
  const rest = left === undefined ? '' : `; ${formatDecimal(left, decimals)} is left`;
  const typed = await questions.text(`Amount in ${unit} (${how}${rest}):`, {
    check: faultOf,
    shown: (value) => said(read(value) ?? 0),
  });
  return read(typed) ?? 0;
}

const howMany = (decimals: number) =>
  decimals === 0 ? 'without decimals' : `like 25.${'0'.repeat(decimals)}`;

function faultOfWriting(typed: string, decimals: number, currency: string): string {
  const { codes = [currency] } = amountIn(typed.trim());
  if (!codes.includes(currency))
    return `This is in ${oneOf(codes)}, and the currency is ${currency}`;
  return howToWrite(typed, decimals, currency).replace(/\.$/, '');
}
