/** An amount as a decimal, read with the currency's exponent. */

import { readingsOf } from '../../cli/flags/parse-number.ts';
import { currenciesMeant, currencyCode, currencyExponent } from '../../contract/currency.ts';
import { formatDecimal, MAX_AMOUNT, parseDecimal } from '../../contract/money.ts';
import { amountIn } from '../../contract/number-column.ts';
import { usage } from '../../failure.ts';

/** The reason why a decimal is not an amount. */
export interface DecimalFault {
  code: 'currency-missing' | 'currency-unknown' | 'currency-differs' | 'amount-invalid';
  /** The problem, without a full stop. */
  what: string;
  /** A sentence for a user who gave the amount as a flag. */
  next: string;
  /** The same as in a Failure. */
  sent?: false;
  /** true if only the way of writing is wrong. */
  isHow?: true;
}

/**
 * @param text the text that was given, for example `25.00` or `25.00 AUD`
 * @param given ISO 4217 code in any case, which tells how many decimals the amount has
 * @param name the source of the amount: `--decimal-amount` or a column
 * @returns minor units, from 1 to MAX_AMOUNT; or the fault
 */
export function decimalAmount(text: string, given: unknown, name: string): number | DecimalFault {
  if (typeof given !== 'string')
    return {
      code: 'currency-missing',
      what: `${name} needs to know the currency`,
      next: 'Add --currency CODE, or give --amount in minor units.',
    };
  const currency = currencyCode(given);
  const exponent = currencyExponent(currency);
  if (exponent === undefined)
    return {
      code: 'currency-unknown',
      what: `${JSON.stringify(currency)} is not an ISO 4217 currency code`,
      next: `Use a code of three letters, such as AUD, USD or JPY.${meantCurrency(currency)}`,
    };
  const typed = `${name} ${JSON.stringify(text)}`;
  const { body, codes = [currency] } = amountIn(text);
  if (!codes.includes(currency))
    return {
      code: 'currency-differs',
      what: `${typed} is in ${oneOf(codes)}, and the currency is ${currency}`,
      next: `Give the amount in ${currency}, or check the currency.`,
      sent: false,
    };
  const amount = parseDecimal(body, exponent) ?? 0;
  if (amount > 0 && amount <= MAX_AMOUNT) return amount;
  const code = 'amount-invalid';
  if (amount > MAX_AMOUNT)
    return {
      code,
      what: `${typed} is above ${formatDecimal(MAX_AMOUNT, exponent)} ${currency}`,
      next: 'gw cannot send a larger amount exactly.',
      sent: false,
    };
  return {
    code,
    what: `${typed} is not an amount of ${currency} above zero`,
    next: howToWrite(text, exponent, currency),
    isHow: true,
  };
}

/**
 * Explains a text that is no amount. An example would be taken for the amount, so only the amount that was typed is
 * named, in the form that gw takes. If the currency cannot have it, none is named: gw does not round.
 * @param exponent decimals of the currency
 * @returns a sentence, for example `JPY has no decimals: write 25.` for `25.00`
 */
export function howToWrite(text: string, exponent: number, currency: string): string {
  const typed = text.trim();
  if (/^[-+]|^[0.,]+$/.test(typed)) return 'Write an amount above zero, without a sign.';
  const has = `${currency} has ${exponent === 0 ? 'no' : exponent} decimals`;
  const readings = readingsOf(typed);
  const meant = readings.flatMap(({ whole, fraction }) => writtenIn(exponent, whole, fraction));
  const isTooLong = readings.every(({ fraction }) => fraction.length > exponent);
  if (readings.length === 0) return 'Write digits, and a point before decimals.';
  if (meant.length === 0) return `${has}, so gw cannot send ${typed}. It does not round.`;
  const why = isTooLong ? has : 'Use a point before decimals and nothing else';
  return `${why}: write ${[...new Set(meant)].join(' or ')}.`;
}

/** @returns the amount with at most that many decimals; none if that would change it */
function writtenIn(exponent: number, whole: string, fraction: string): string[] {
  const kept = fraction.slice(0, exponent);
  if (/[1-9]/.test(fraction.slice(exponent)) || !/[1-9]/.test(whole + kept)) return [];
  return [whole.replaceAll(/\D/g, '') + (kept === '' ? '' : `.${kept}`)];
}

/** Like `decimalAmount`, for `--decimal-amount`. @throws Failure usage if the text is not an amount */
export function readDecimalAmount(text: string, currency: unknown): number {
  const amount = decimalAmount(text, currency, '--decimal-amount');
  if (typeof amount === 'number') return amount;
  throw usage(amount.code, `${amount.what}.`, amount.next, { sent: amount.sent });
}

/** @returns a sentence, after a space, that names the currencies which a name or a symbol may mean; otherwise empty */
function meantCurrency(text: string): string {
  const codes = currenciesMeant(text);
  return codes.length > 0 ? ` Did you mean ${oneOf(codes)}?` : '';
}

/** @returns for example `AUD, USD or NZD` */
export const oneOf = (codes: readonly string[]) => codes.join(', ').replace(/, (?=[^,]*$)/, ' or ');
