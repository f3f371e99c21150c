/** Reads the money that a request names: once for the ledger, for limits, and for whoever confirms it. */
import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { maskCardNumber } from '../../contract/cards/card-number.ts';
import { currencyCode, currencyExponent, USUAL_EXPONENT } from '../../contract/currency.ts';
import { minorUnits, parseDecimal } from '../../contract/money.ts';
import type { Operation } from '../../contract/operation.ts';
import { plainId } from '../../contract/record-id.ts';
import type { CallInput } from './wire-request.ts';

export interface SaidMoney {
  /** Whose money it is: id of a purchase, token, or masked card number. */
  target: string | null;
  /** Minor units. */
  amount: number | null;
  /** ISO 4217 code. */
  currency: string | null;
  reference: string | null;
}

export interface SaidAmount {
  value: Json;
  /** undefined for what cannot be read. */
  minor: number | undefined;
}

/** @returns what is said of money; null for what is not said */
export function moneyOf({ money }: Pick<Operation, 'money'>, { body = {} }: CallInput): SaidMoney {
  const currency = textOf(body.currency);
  return {
    target: targetIn(money?.target ?? [], body),
    amount: minorUnits(body.amount) ?? null,
    currency: currency === null ? null : currencyCode(currency),
    reference: textOf(body.reference),
  };
}

/** @returns whose money a request moves; null where it does not say */
export function targetOf(
  { money }: Pick<Operation, 'money'>,
  { body = {} }: CallInput,
): string | null {
  return targetIn(money?.target ?? [], body);
}

/** @param fields of the body, dotted: the first one that is given counts */
function targetIn(fields: readonly string[], body: JsonObject): string | null {
  for (const field of fields) {
    const text = textOf(valueAt(body, field.split('.')));
    if (text !== null) return field.endsWith('card_number') ? maskCardNumber(text) : plainId(text);
  }
  return null;
}

/** A number is the text that it is sent as, and a blank as good as none (section 7). */
function textOf(value: Json | undefined): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/**
 * Limits hold for every amount: a gateway may know fields that the interface does not have.
 * @returns everything in a body that may be an amount, wherever it stands
 */
export function amountsIn(body: JsonObject): SaidAmount[] {
  const code = textOf(body.currency);
  const exponent = currencyExponent(currencyCode(code ?? '')) ?? USUAL_EXPONENT;
  return valuesCalled(LIKE_AMOUNT, body)
    .filter(({ name, value }) => AMOUNTS.includes(name) || mayBeAmount(value))
    .map(({ name, value }) => ({ value, minor: readAmount(name, value, exponent) }));
}

const AMOUNTS = ['amount', 'decimalamount'];
const LIKE_AMOUNT = /amount|total|price|cents/;

/** A field that is only called much like an amount is none where its text has no digit: `amount_currency`. */
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

/** @returns what a body has in fields of such a name, as letters and digits, wherever they stand; lists and objects too */
export function valuesCalled(called: RegExp, body: Json, name = ''): NamedValue[] {
  const own = body !== null && called.test(name) ? [{ name, value: body }] : [];
  if (Array.isArray(body))
    return [...own, ...body.flatMap((one) => valuesCalled(called, one, name))];
  if (!isObject(body)) return own;
  const inner = Object.entries(body);
  return [...own, ...inner.flatMap(([key, value]) => valuesCalled(called, value, plain(key)))];
}

interface NamedValue {
  name: string;
  value: Json;
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z\d]/g, '');
