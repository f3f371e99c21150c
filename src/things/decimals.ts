/** Amounts as people type them in a search. */
import { currencyExponent, USUAL_EXPONENT } from '../contract/currency.ts';
import { formatDecimal } from '../contract/money.ts';

/** @param amount minor units @returns `25.00`; with two decimals if the currency is unknown */
export function decimalsOf(amount: number | null, currency: string | null): string | null {
  if (amount === null) return null;
  const exponent = currency === null ? undefined : currencyExponent(currency);
  return formatDecimal(Math.abs(amount), exponent ?? USUAL_EXPONENT);
}
