/** Reads the money that a request names: once for the ledger, for limits, and for the person who confirms it. */
import { eachField, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { maskCardNumber } from '../../contract/cards/card-number.ts';
import { currencyCode, currencyExponent, USUAL_EXPONENT } from '../../contract/currency.ts';
import { minorUnits, parseDecimal } from '../../contract/money.ts';
import type { Operation } from '../../contract/operation.ts';
import { plainId } from '../../contract/record.ts';
import type { CallInput } from './wire-request.ts';

export interface SaidMoney {
  /** Source or recipient of the money: id of a purchase, token, or masked card number. */
  target: string | null;
  /** Minor units. */
  amount: number | null;
  /** ISO 4217 code. */
  currency: string | null;
  reference: string | null;
}

export interface SaidAmount {
  value: Json;
  /** Minor units; undefined if the value cannot be read. */
  minor: number | undefined;
}

/** @returns the money that the body names; null for each part it does not name */
export function moneyOf({ money }: Pick<Operation, 'money'>, input: CallInput): SaidMoney {
  const { body = {} } = input;
  return {
    target: targetIn(money?.target ?? [], body),
    amount: minorUnits(body.amount) ?? null,
    currency: saidCurrency(input) ?? null,
    reference: textOf(body.reference),
  };
}

/** @returns ISO 4217 code of a request's amount; undefined if the request does not say */
export function saidCurrency({ body = {}, currency }: CallInput): string | undefined {
  const again = Object.keys(body).find((name) => SAYS_CURRENCY.includes(plain(name)));
  const code = currency ?? textOf(body.currency) ?? textOf(body[again ?? '']);
  return code === null ? undefined : currencyCode(code);
}

const SAYS_CURRENCY = ['currency', 'currencycode'];

/**
 * Limits apply in every currency that a request names, because a gateway may know fields that the interface does not
 * document.
 * @returns ISO 4217 codes at any depth, without repeats; that of the amount is first, if the request says it
 */
export function currenciesIn(input: CallInput): string[] {
  const named = valuesCalled(LIKE_CURRENCY, input.body ?? {}).map(({ value }) =>
    typeof value === 'object' ? JSON.stringify(value) : textOf(value),
  );
  const codes = [saidCurrency(input) ?? null, ...named].filter((code) => code !== null);
  return [...new Set(codes.map(currencyCode))];
}

/** @returns another currency than the request's own that it names somewhere; names and symbols, such as `$`, are none */
export function otherCurrency(input: CallInput, own: string): string | undefined {
  return currenciesIn(input).find(
    (code) => code !== own && (currencyExponent(code) !== undefined || /^[[{]/.test(code)),
  );
}

/** @returns the names of the fields in which a body says its amount as a decimal (section 2.1), in any spelling */
export function decimalsIn(body: JsonObject): string[] {
  return Object.keys(body).filter((name) => plain(name) === 'decimalamount' && body[name] !== null);
}

const LIKE_CURRENCY = /currency|^cc?y$|^curr?$/;

/** @returns the purchase, token or masked card whose money a request moves; null if it names none */
export function targetOf(
  { money }: Pick<Operation, 'money'>,
  { body = {} }: CallInput,
): string | null {
  return targetIn(money?.target ?? [], body);
}

/** @param fields dotted names of body fields; the first that has a value counts */
function targetIn(fields: readonly string[], body: JsonObject): string | null {
  for (const field of fields) {
    const text = textOf(valueAt(body, field.split('.')));
    if (text !== null) return field.endsWith('card_number') ? maskCardNumber(text) : plainId(text);
  }
  return null;
}

/** Reads a number as the text that is sent, and a blank as no value (section 7). */
function textOf(value: Json | undefined): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/**
 * Limits apply to every amount, because a gateway may know fields that the interface does not document.
 * @param currency ISO 4217 code of the amounts, if known
 * @returns everything in a body that may be an amount, at any depth
 */
export function amountsIn(body: JsonObject, currency = textOf(body.currency) ?? ''): SaidAmount[] {
  const exponent = currencyExponent(currencyCode(currency)) ?? USUAL_EXPONENT;
  return valuesCalled(LIKE_AMOUNT, body)
    .filter(({ name, value }) => AMOUNTS.includes(name) || mayBeAmount(value))
    .map(({ name, value }) => ({ value, minor: readAmount(name, value, exponent) }));
}

const AMOUNTS = ['amount', 'decimalamount'];
const LIKE_AMOUNT = /amount|total|price|cents/;

/** A field whose name only resembles an amount is none if its text has no digit: `amount_currency`. */
function mayBeAmount(value: Json): boolean {
  return typeof value === 'object' || /\d/.test(String(value));
}

function readAmount(name: string, value: Json, exponent: number): number | undefined {
  const text = textOf(value) ?? '';
  const isDecimal = name === 'decimalamount' || (name !== 'amount' && text.includes('.'));
  if (!isDecimal) return minorUnits(value);
  const minor = parseDecimal(text.replace(/^\s*[-+]|\s/g, ''), exponent);
  return Number.isSafeInteger(minor) ? minor : undefined;
}

/**
 * @param called matches names reduced to small letters and digits
 * @returns the values of all such fields, at any depth, including lists and objects
 */
export function valuesCalled(called: RegExp, body: Json): NamedValue[] {
  const found: NamedValue[] = [];
  eachField(body, (field, whole) => {
    const name = plain(field);
    if (!called.test(name)) return;
    for (const value of Array.isArray(whole) ? [whole, ...itemsOf(whole)] : [whole])
      if (value !== null) found.push({ name, value });
  });
  return found;
}

/** @returns the items of a list, and those of the lists in it */
function itemsOf(list: readonly Json[]): Json[] {
  return list.flatMap((item) => (Array.isArray(item) ? [item, ...itemsOf(item)] : [item]));
}

interface NamedValue {
  name: string;
  value: Json;
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z\d]/g, '');
