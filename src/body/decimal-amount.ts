/** `--decimal-amount`: the same amount as a decimal, read with the currency's exponent. */
import { currencyExponent } from '../contract/currency.ts';
import { parseDecimal } from '../contract/money.ts';
import { usage } from '../failure.ts';

/**
 * @param text what was given, for example `25.00`
 * @param currency ISO 4217 code that says how many decimals it has
 * @returns minor units, above zero
 * @throws Failure usage when the currency is missing or unknown, or the text is no amount of it
 */
export function readDecimalAmount(text: string, currency: string | undefined): number {
  if (currency === undefined) {
    throw usage(
      '--decimal-amount needs to know the currency.',
      'Add --currency CODE, set a default with `gw profile set NAME --currency CODE`, or give --amount in minor units.',
    );
  }
  const exponent = currencyExponent(currency);
  if (exponent === undefined) {
    throw usage(
      `${JSON.stringify(currency)} is not an ISO 4217 currency code.`,
      'Use a code such as AUD, USD or JPY.',
    );
  }
  const minor = parseDecimal(text, exponent);
  if (minor === undefined || minor === 0) {
    const example = exponent === 0 ? '2500' : `25.${'0'.repeat(exponent)}`;
    throw usage(
      `--decimal-amount ${JSON.stringify(text)} is not an amount of ${currency} above zero.`,
      `${currency} has ${exponent} decimals: write it like ${example}.`,
    );
  }
  return minor;
}
