/**
 * Reads whole numbers, seconds and currencies from flags, and explains minor units to users who type an amount as people
 * write it.
 */

import { currencyCode, currencyExponent, faultOfWithdrawn } from '../../contract/currency.ts';
import { MAX_AMOUNT } from '../../contract/money.ts';
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

/** An example in digits would be taken for the amount. */
export const MINOR_UNITS = 'cents for AUD, whole yen for JPY';

/**
 * @param flag `amount`, which has a decimal form too, or another flag in minor units
 * @param text the typed text: `25.00`, `$25`, `25 UGX`, `2_500`
 * @returns what to type, if that is clear: the amount that was typed, and no other
 */
function amountHint(flag: string, text: string): string {
  const hint = `Amounts are in minor units: ${MINOR_UNITS}.`;
  if (flag !== 'amount') return hint;
  const mark = text.replaceAll(/[\d\s.,_']/g, '');
  const code = currencyExponent(mark.toUpperCase()) === undefined ? '' : mark.toUpperCase();
  const [reading] = code || /^(?:[a-z]{0,2}\p{Sc})?$/iu.test(mark) ? readingsOf(text) : [];
  const { whole = '', fraction = '' } = reading ?? {};
  const amount = whole.replaceAll(/\D/g, '') + (fraction === '' ? '' : `.${fraction}`);
  if (!/[1-9]/.test(amount) || (amount === text.trim() && fraction === ''))
    return `${hint} --decimal-amount takes decimals.`;
  // Grouped digits without a currency are already minor units.
  if (mark === '' && fraction === '') return `Write --amount ${amount}, in minor units.`;
  const given = code === '' ? amount : `${amount} --currency ${code}`;
  return `Write --decimal-amount ${given}, or give --amount in minor units.`;
}

/** An amount in a text: its digits before and after the decimal point. */
export interface Reading {
  whole: string;
  fraction: string;
}

/** A single point is always the decimal point. */
const GROUPED = /^\d{1,3}(?:(?:,\d{3})+|(?:\.\d{3}){2,})$/;
const WITH_DECIMALS = /^(\d+|\d{1,3}(?:,\d{3})+(?=\.)|\d{1,3}(?:\.\d{3})+(?=,))(?:[.,](\d*))?$/;

/** @returns what a text may mean: one amount, two for `1,500`, or none */
export function readingsOf(typed: string): Reading[] {
  const [number = ''] = /[\d.,](?:.*[\d.,])?/s.exec(typed) ?? [];
  const bare = number.replace(/(?<=\d)[^\d.,a-z](?=\d{3})/gi, '');
  const [, whole = '', fraction = ''] = WITH_DECIMALS.exec(bare) ?? [];
  return [
    ...(GROUPED.test(bare) ? [{ whole: bare, fraction: '' }] : []),
    ...(whole === '' ? [] : [{ whole, fraction }]),
  ];
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
  throw usage('currency-withdrawn', `The currency ${fault}.`, next);
}
