/** Converts amounts between minor units and decimal text. */
import type { Json } from '../base/json.ts';
import { currencyCode, currencyExponent, USUAL_EXPONENT } from './currency.ts';

/**
 * The largest amount of a request. Section 8 gives no limit. This one has fifteen digits, which a double such as
 * `decimal_amount` (section 2.1) keeps in a currency with any number of decimals.
 */
export const MAX_AMOUNT = 999_999_999_999_999;

/**
 * Reads a decimal amount as minor units, digit by digit and never through a float.
 * @param text for example `25.00`; without sign, exponent or thousands separators
 * @param exponent decimals of the currency
 * @returns the amount in minor units, exact up to MAX_AMOUNT; a larger one stays above it. undefined if the text is not
 *   a number, or has more decimals than the currency.
 */
export function parseDecimal(text: string, exponent: number): number | undefined {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > exponent) return undefined;
  return Number(whole + fraction.padEnd(exponent, '0'));
}

/** @returns how many minor units one whole unit of the currency has; as most currencies if it is not known */
export function minorUnitsOfOne(currency: string | null | undefined): number {
  return 10 ** (currencyExponent(currency ?? '') ?? USUAL_EXPONENT);
}

/**
 * Reads an amount of an unchecked body.
 * @param value a whole number, or the text of one. Its sign is ignored, because a gateway may ignore it too.
 * @returns minor units, 0 or more; undefined for anything else, including an ambiguous decimal
 */
export function minorUnits(value: Json | undefined): number | undefined {
  const isText = typeof value === 'string' && /^\s*[-+]?\d+\s*$/.test(value);
  const amount = isText ? Number(value) : value;
  return Number.isSafeInteger(amount) ? Math.abs(Number(amount)) : undefined;
}

/**
 * @param currency ISO 4217 code, if named; with an unknown code, any number of decimals fits
 * @returns whether the minor units and the decimal are the same amount; true if one is missing
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
 * @param minor an amount in minor units; refunds are negative, and a total may have any size
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

/** @returns whether JavaScript would write a whole number like `1e+21` */
function isWrittenShort(minor: number | bigint): boolean {
  return typeof minor === 'number' && Math.abs(minor) >= 1e21 && Number.isInteger(minor);
}

/**
 * Formats money for people, the same everywhere.
 * @param minor an amount in minor units; a total may have any size
 * @param currency ISO 4217 code; null, empty or undefined means the account's own currency
 * @param exponent decimals, if known from elsewhere
 * @returns `25.00 AUD`, or `25.00 (account currency)`. For a code unknown to ISO 4217, whose decimals nobody knows,
 *   `2500 minor units QQQ`. For a number with a fraction, which a gateway may send, `2.5 minor units AUD`.
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
