/** Reading a record: by dotted name, flattened, and as text. */

import { isObject, type Json, type JsonObject, withNumbers, withoutMark } from '../base/json.ts';
import { currencyExponent, MOST_DECIMALS } from '../contract/currency.ts';
import { formatDecimal, moneyText } from '../contract/money.ts';
import { amountOf } from '../contract/normal.ts';

/**
 * @param path a field name, or names joined by dots (`customer.email`); a field whose own name has a dot is found too
 * @returns the value, or undefined if the record has none
 */
export function fieldAt(record: JsonObject, path: string): Json | undefined {
  if (Object.hasOwn(record, path)) return record[path];
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot);
    const inner = Object.hasOwn(record, head) ? record[head] : undefined;
    const found = isObject(inner) ? fieldAt(inner, path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The field with the decimal of an amount. */
export const DECIMAL = 'decimal_amount';

/** @returns the name of the decimal that stands beside an amount in minor units; undefined for any other field */
export function decimalNameOf(name: string): string | undefined {
  return /(^|\.)amount$/.test(name) ? name.replace(/amount$/, DECIMAL) : undefined;
}

/** @param sum a field with money in minor units that is none of `amount` @returns the name of its decimal */
export const decimalOfSum = (sum: string) => `decimal_${sum}`;

/** @returns the decimal of an amount that has a currency, by the name of the decimal; undefined for any other field */
export function decimalIn(record: JsonObject, name: string): string | undefined {
  if (!name.endsWith(DECIMAL))
    return name.startsWith('decimal_')
      ? decimalOf(record, name.replace('decimal_', ''))
      : undefined;
  const of = name.slice(0, -DECIMAL.length);
  return decimalOf(record, `${of}amount`, fieldAt(record, `${of}currency`));
}

/** @returns for the decimal of an amount whose currency is not known, `2500 minor units`: no spreadsheet adds that up */
export function moneyInMinorUnits(record: JsonObject, name: string): string | undefined {
  if (!name.endsWith(DECIMAL)) return undefined;
  const amount = textOf(fieldAt(record, name.replace(DECIMAL, 'amount')));
  return amount === undefined ? undefined : `${amount} minor units`;
}

/** @returns money in minor units as a decimal; undefined if the record names no currency that gw knows */
export function decimalOf(
  record: JsonObject,
  field: string,
  currency: Json | undefined = record.currency,
): string | undefined {
  const amount = textOf(fieldAt(record, field)) ?? '';
  const code = textOf(currency ?? record.currency);
  const exponent = code === undefined ? undefined : currencyExponent(code);
  if (exponent === undefined || !/^-?\d+$/.test(amount)) return undefined;
  return formatDecimal(BigInt(amount), exponent);
}

/** @returns every field that is no object, under its dotted name, in the record's order */
export function flatten(record: JsonObject, prefix = ''): [name: string, value: Json][] {
  return Object.entries(record).flatMap(([name, value]): [string, Json][] =>
    isObject(value) && Object.keys(value).length > 0
      ? flatten(value, `${prefix}${name}.`)
      : [[prefix + name, value]],
  );
}

/** @returns the value as text, lists and objects as JSON; undefined for null and for no value */
export function textOf(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object') return withNumbers(JSON.stringify(value));
  return withoutMark(String(value));
}

/**
 * @returns what counts of the record's amount, for people; unchanged if it is no whole number, undefined if none. What
 *   was captured is shown as it is written if it cannot be read: the whole amount would be another one.
 */
export function amountText(record: JsonObject): string | undefined {
  const { amount, decimal_amount: decimal, currency } = record;
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount)) {
    return textOf(amount ?? decimal);
  }
  const code = typeof currency === 'string' ? currency : undefined;
  const counted = amountOf(record);
  if (counted === null) return `captured: ${textOf(record.captured_amount)}`;
  return moneyText(counted, code, exponentBetween(amount, decimal));
}

/** @returns the number of decimals that turns `amount` into `decimal`: 2500 and 25 give 2 */
function exponentBetween(amount: number, decimal: Json | undefined): number | undefined {
  // Zero is zero with any number of decimals.
  if (typeof decimal !== 'number' || amount === 0) return undefined;
  for (let exponent = 0; exponent <= MOST_DECIMALS; exponent++) {
    // A refund's amount is negative, and its decimal may not be.
    const candidate = Number(formatDecimal(Math.abs(amount), exponent));
    if (candidate === Math.abs(decimal)) return exponent;
  }
  return undefined;
}
