/** Amounts in minor units, as texts of decimals and back. */
import type { Json } from '../base/json.ts';
import { currencyCode, currencyExponent, USUAL_EXPONENT } from './currency.ts';

/**
 * The largest amount of a request. Section 8 shows no bound; this one is fifteen digits, as many as
 * `decimal_amount` (section 2.1), which is a double, keeps in a currency of any number of decimals.
 */
export const MAX_AMOUNT = 999_999_999_999_999;

/**
 * Reads a decimal amount as minor units, digit by digit and never through a float.
 * @param text for example `25.00`; no sign, no exponent, no thousands separators
 * @param exponent decimals of the currency
 * @returns the amount in minor units, exact up to MAX_AMOUNT, and above it when it is larger; or
 *   undefined when the text is not an amount of that currency (not a number, or more decimals than the
 *   currency has)
 */
export function parseDecimal(text: string, exponent: number): number | undefined {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > exponent) return undefined;
  return Number(whole + fraction.padEnd(exponent, '0'));
}

/**
 * Reads an amount of a body that was not checked.
 * @param value a whole number, or the text of one; a sign says nothing, since a gateway may overlook it
 * @returns minor units, 0 or more; undefined for anything else, as a decimal, which may be read in either way
 */
export function minorUnits(value: Json | undefined): number | undefined {
  const isText = typeof value === 'string' && /^\s*[-+]?\d+\s*$/.test(value);
  const amount = isText ? Number(value) : value;
  return Number.isSafeInteger(amount) ? Math.abs(Number(amount)) : undefined;
}

/**
 * @param currency ISO 4217 code, where one is named; any number of decimals fits one that is not known
 * @returns whether the two say the same in minor units and as a decimal; true where one of them is missing
 */
export function fitsDecimal(
  amount: Json = null,
  decimal: Json = null,
  currency: Json = null,
): boolean {
  if (amount === null || decimal === null) return true;
  const [minor = 0, major = 0] = [amount, decimal].map((value) =>
    Math.abs(typeof value === 'object' || value === '' ? Number.NaN : Number(value)),
  );
  const code = typeof currency === 'object' ? '' : String(currency);
  const exponent = currencyExponent(currencyCode(code));
  const places = exponent === undefined ? [0, 2, 3, 4] : [exponent];
  return places.some((count) => Math.abs(major * 10 ** count - minor) < 0.5);
}

/**
 * @param minor an amount in minor units; refunds are negative, and a total may be of any size
 * @param exponent decimals of the currency
 * @returns for example `25.00` for 2500 with two decimals
 */
export function formatDecimal(minor: number | bigint, exponent: number): string {
  const digits = String(isWrittenShort(minor) ? BigInt(minor) : minor)
    .replace('-', '')
    .padStart(exponent + 1, '0');
  const sign = minor < 0 ? '-' : '';
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/** @returns whether a whole number would be written as `1e+21` */
function isWrittenShort(minor: number | bigint): boolean {
  return typeof minor === 'number' && Math.abs(minor) >= 1e21 && Number.isInteger(minor);
}

/**
 * Money as a person reads it, in the same words everywhere.
 * @param minor an amount in minor units; a total may be of any size
 * @param currency ISO 4217 code; null, empty or undefined where none is named: an account has a currency of its own
 * @param exponent decimals, where they are known by other means than the currency
 * @returns `25.00 AUD`, or `25.00 (account currency)`; of a code that ISO 4217 does not have, whose decimals nobody
 *   knows, `2500 minor units QQQ`; of what is no whole number, as a gateway may send it, `2.5 minor units AUD`
 */
export function moneyText(
  minor: number | bigint,
  currency: string | null | undefined,
  exponent?: number,
): string {
  if (typeof minor === 'number' && !Number.isInteger(minor))
    return `${minor} minor units${currency ? ` ${currency}` : ''}`;
  if (!currency) return `${formatDecimal(minor, exponent ?? USUAL_EXPONENT)} (account currency)`;
  const decimals = currencyExponent(currency) ?? exponent;
  if (decimals === undefined) return `${minor} minor units ${currency}`;
  return `${formatDecimal(minor, decimals)} ${currency}`;
}
