/** Amounts in minor units, as texts of decimals and back. */

/** The largest amount gw handles: every integer up to it is exact in JSON and in JavaScript. */
export const MAX_AMOUNT = Number.MAX_SAFE_INTEGER;

/**
 * Reads a decimal amount as minor units, digit by digit and never through a float.
 * @param text for example `25.00`; no sign, no exponent, no thousands separators
 * @param exponent decimals of the currency
 * @returns the amount in minor units, or undefined when the text is not an amount of that currency
 *   (not a number, more decimals than the currency has, or above MAX_AMOUNT)
 */
export function parseDecimal(text: string, exponent: number): number | undefined {
  const match = /^(\d{1,16})(?:\.(\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > exponent) return undefined;
  const minor = BigInt(whole + fraction.padEnd(exponent, '0'));
  return minor > BigInt(MAX_AMOUNT) ? undefined : Number(minor);
}

/**
 * @param minor an amount in minor units; refunds are negative
 * @param exponent decimals of the currency
 * @returns for example `25.00` for 2500 with two decimals
 */
export function formatDecimal(minor: number, exponent: number): string {
  const digits = String(Math.abs(minor)).padStart(exponent + 1, '0');
  const sign = minor < 0 ? '-' : '';
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}
