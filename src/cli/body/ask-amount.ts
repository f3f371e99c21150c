/**
 * Asks for money as people say it: 25 and 25.00 are both 25.00 in a currency with two decimals. An unknown currency
 * counts as one with two. The answer is shown as the amount that gw understood.
 */

import { capitalised } from '../../base/text.ts';
import {
  currencyCode,
  currencyExponent,
  faultOfCurrency,
  faultOfWithdrawn,
  USUAL_EXPONENT,
} from '../../contract/currency.ts';
import { formatDecimal, MAX_AMOUNT, moneyText, parseDecimal } from '../../contract/money.ts';
import type { Questions } from './questions.ts';

/** @returns ISO 4217 code; undefined for the account's currency */
export async function askForCurrency(questions: Questions): Promise<string | undefined> {
  const question = 'Currency (like AUD; empty for the default):';
  const typed = await questions.text(question, {
    check(value) {
      const code = currencyCode(value);
      const withdrawn = faultOfWithdrawn(code);
      if (withdrawn !== undefined) return `This ${withdrawn}`;
      return code === '' || !faultOfCurrency(code) || 'Type a code of three letters, like AUD';
    },
    shown: currencyCode,
  });
  return currencyCode(typed) || undefined;
}

/**
 * @param currency ISO 4217 code, if it is known
 * @param left the most that makes sense, in minor units
 * @returns minor units
 */
export async function askForAmount(
  questions: Questions,
  currency: string | undefined,
  left?: number,
): Promise<number> {
  const exponent = currencyExponent(currency ?? '') ?? USUAL_EXPONENT;
  const read = (typed: string) => parseDecimal(typed.trim(), exponent);
  const fault = (amount: number) => {
    if (amount <= 0) return 'The amount must be above zero';
    if (amount > MAX_AMOUNT) return `At most ${moneyText(MAX_AMOUNT, currency)}`;
    return left === undefined || amount <= left || `Only ${moneyText(left, currency)} is left`;
  };
  const unit = currency === undefined ? '' : ` in ${currency}`;
  const rest = left === undefined ? '' : `; ${formatDecimal(left, exponent)} is left`;
  const typed = await questions.text(`Amount${unit} (like ${example(exponent)}${rest}):`, {
    check(value) {
      const amount = read(value);
      return amount === undefined ? faultOf(value.trim(), exponent, currency) : fault(amount);
    },
    shown: (value) => moneyText(read(value) ?? 0, currency),
  });
  return read(typed) ?? 0;
}

const example = (exponent: number) => (exponent === 0 ? '2500' : `25.${'0'.repeat(exponent)}`);

/** @returns what is wrong with a text that is no amount, and how to write one; the text stays to be corrected */
function faultOf(typed: string, exponent: number, currency = 'this currency'): string {
  const decimals = /^\d*\.(\d*)$/.exec(typed)?.[1]?.length ?? 0;
  const how = `write it like ${example(exponent)}`;
  if (typed === '') return capitalised(how);
  if (typed.startsWith('-')) return `The amount must be above zero: ${how}`;
  if (exponent === 0 && decimals > 0) return `${capitalised(currency)} has no decimals: ${how}`;
  if (decimals > exponent) return `${capitalised(currency)} has ${exponent} decimals: ${how}`;
  if (/^[\d.,']+$/.test(typed)) return `Use a point for decimals and no other separator: ${how}`;
  return `The amount has other characters than digits and a point: ${how}`;
}
