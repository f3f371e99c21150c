/**
 * Reads whole numbers, seconds and currencies from flags, and explains minor units to users who type an amount as people
 * write it.
 */
import {
  currencyCode,
  currencyExponent,
  faultOfWithdrawn,
  USUAL_EXPONENT,
} from '../../contract/currency.ts';
import { formatDecimal, MAX_AMOUNT } from '../../contract/money.ts';
import { usage } from '../../failure.ts';

/** Flags that take money in minor units. */
const AMOUNTS = new Set(['amount', 'max-amount', 'max-total']);

/**
 * Accepts digits only, so that gw never guesses at 25.00, 1e3 or -1.
 * @returns a number from 1 to `max`
 * @throws Failure usage for anything else
 */
export function parseInteger(flag: string, text: string, max = MAX_AMOUNT): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= max) return value;
  const isAmount = AMOUNTS.has(flag);
  if (isAmount && /^\d+\.\d+$/.test(text)) {
    throw usage(
      'amount-is-decimal',
      `--${flag} takes whole minor units, and ${text} is a decimal.`,
      amountHint(flag, text),
    );
  }
  throw usage(
    'integer-invalid',
    `--${flag} takes a whole number from 1 to ${max}, not ${JSON.stringify(text)}.`,
    isAmount ? amountHint(flag, text) : 'Correct it, then run the command again.',
  );
}

/**
 * @param flag `amount`, which has a decimal form too, or another flag in minor units
 * @param text the typed text: `25.00`, `$25`, `25,00`, `2_500`
 * @returns what to type, if that is clear; gw never reads the text that way itself
 */
function amountHint(flag: string, text: string): string {
  const meant = meantAmount(text);
  if (meant === undefined) return 'Amounts are in minor units: 2500 is 25.00 AUD.';
  const { minor, decimal, isMinor } = meant;
  if (flag !== 'amount')
    return `Write it in minor units: --${flag} ${minor}, which is ${decimal} in a currency with two decimals.`;
  // The currency may have other decimals, so only the typed amount is named.
  return isMinor
    ? `Write --amount ${minor}, in minor units.`
    : `Write --decimal-amount ${decimal}, or give --amount in minor units.`;
}

/** Currency signs and codes before or after an amount. A yen sign is left out, because yen have no decimals. */
const WITH_MARK = /^(?:[A-Za-z]{0,2}[$€£]|[A-Za-z]{3}\s?)|(?:\s?[A-Za-z]{3}|[$€£])$/g;

/** @returns the amount in a currency with two decimals, and whether it is in minor units; undefined if it is none */
function meantAmount(
  text: string,
): { minor: number; decimal: string; isMinor: boolean } | undefined {
  const bare = text.trim().replace(WITH_MARK, '');
  const [mark = ''] = /[A-Za-z]{3}/.exec(text) ?? [];
  if (mark !== '' && currencyExponent(mark.toUpperCase()) !== USUAL_EXPONENT) return undefined;
  const [, whole = '', fraction] = /^(\d[\d_' ,.]*?)(?:[.,](\d{1,2}))?$/.exec(bare.trim()) ?? [];
  const digits = whole.replaceAll(/\D/g, '');
  // Grouped digits without a currency sign are already minor units.
  const isMinor = fraction === undefined && bare === text.trim();
  const minor = Number(digits + (isMinor ? '' : (fraction ?? '').padEnd(USUAL_EXPONENT, '0')));
  if (digits === '' || minor < 1 || minor > MAX_AMOUNT) return undefined;
  const isPlain = /^\d+\.\d+$/.test(text);
  const decimal = isPlain ? text : formatDecimal(minor, USUAL_EXPONENT);
  return { minor, decimal, isMinor: isMinor && !isPlain };
}

/**
 * @param text digits, with decimals or without
 * @param range the fewest and the most seconds; a millisecond at least, unless it says less
 * @returns milliseconds
 * @throws Failure usage unless the text is a number of seconds in the range
 */
export function parseSeconds(
  flag: string,
  text: string,
  { min = 0.001, max }: { min?: number; max: number },
): number {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (seconds >= min && seconds <= max) return Math.round(seconds * 1_000);
  throw usage(
    'duration-invalid',
    `--${flag} takes seconds from ${min} to ${max}, not ${JSON.stringify(text)}.`,
    `For example --${flag} 30.`,
  );
}

/**
 * @param text a flag's, or the code of a profile of an earlier year
 * @param next what to do if it was withdrawn
 * @returns the code of the currency that is charged in, which may be unknown
 * @throws Failure usage if it was withdrawn
 */
export function currencyOfCharges(text: string, next = 'Give a currency of today.'): string {
  const code = currencyCode(text);
  const fault = faultOfWithdrawn(code);
  if (fault === undefined) return code;
  throw usage('currency-withdrawn', `The currency ${fault}.`, next, { sent: false });
}
