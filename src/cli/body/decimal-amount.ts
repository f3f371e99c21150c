/** An amount as a decimal, read with the currency's exponent. */
import { currencyCode, currencyExponent } from '../../contract/currency.ts';
import { formatDecimal, MAX_AMOUNT, parseDecimal } from '../../contract/money.ts';
import { usage } from '../../failure.ts';

/** The reason why a decimal is not an amount. */
export interface DecimalFault {
  code: 'currency-missing' | 'currency-unknown' | 'amount-invalid';
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
 * @param text the text that was given, for example `25.00`
 * @param given ISO 4217 code in any case, which tells how many decimals the amount has
 * @param name the source of the amount: `--decimal-amount` or a column
 * @returns minor units, from 1 to MAX_AMOUNT; or the fault
 */
export function decimalAmount(text: string, given: unknown, name: string): number | DecimalFault {
  if (typeof given !== 'string')
    return {
      code: 'currency-missing',
      what: `${name} needs to know the currency`,
      next: 'Add --currency CODE, or give --amount in minor units. `gw profile set NAME --currency CODE` sets a default.',
    };
  const currency = currencyCode(given);
  const exponent = currencyExponent(currency);
  if (exponent === undefined)
    return {
      code: 'currency-unknown',
      what: `${JSON.stringify(currency)} is not an ISO 4217 currency code`,
      next: `Use a code of three letters, such as AUD, USD or JPY.${meantCurrency(currency)}`,
    };
  const amount = parseDecimal(text, exponent) ?? 0;
  if (amount > 0 && amount <= MAX_AMOUNT) return amount;
  const code = 'amount-invalid';
  const typed = `${name} ${JSON.stringify(text)}`;
  if (amount > MAX_AMOUNT)
    return {
      code,
      what: `${typed} is above ${formatDecimal(MAX_AMOUNT, exponent)} ${currency}`,
      next: 'gw cannot send a larger amount exactly.',
      sent: false,
    };
  const example = exponent === 0 ? '2500' : `25.${'0'.repeat(exponent)}`;
  return {
    code,
    what: `${typed} is not an amount of ${currency} above zero`,
    next: `${currency} has ${exponent === 0 ? 'no' : exponent} decimals: write it like ${example}.`,
    isHow: true,
  };
}

/** Like `decimalAmount`, for `--decimal-amount`. @throws Failure usage if the text is not an amount */
export function readDecimalAmount(text: string, currency: unknown): number {
  const amount = decimalAmount(text, currency, '--decimal-amount');
  if (typeof amount === 'number') return amount;
  throw usage(amount.code, `${amount.what}.`, amount.next, { sent: amount.sent });
}

/** @returns a sentence, after a space, that names the currencies which a name or a symbol may mean; otherwise empty */
function meantCurrency(text: string): string {
  const name = text.toLowerCase().replace(/s$/, '');
  const [, codes] = MEANT.find(([names]) => names.includes(name)) ?? [];
  return codes === undefined ? '' : ` Did you mean ${codes}?`;
}

/**
 * Names and symbols, singular and in small letters. A symbol that several currencies share is never read as one of
 * them.
 */
const MEANT: readonly (readonly [names: readonly string[], codes: string])[] = [
  [['$', 'dollar', 'buck'], 'AUD, USD, NZD or CAD'],
  [['a$', 'au$', 'aussie'], 'AUD'],
  [['us$', 'u$'], 'USD'],
  [['nz$'], 'NZD'],
  [['c$', 'ca$'], 'CAD'],
  [['€', 'euro'], 'EUR'],
  [['£', 'pound', 'quid', 'sterling'], 'GBP'],
  [['¥', '￥'], 'JPY or CNY'],
  [['yen'], 'JPY'],
  [['yuan', 'rmb', 'renminbi'], 'CNY'],
  [['rupee', '₹'], 'INR'],
  [['franc'], 'CHF'],
];
