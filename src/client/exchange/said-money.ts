/**
 * What a request says of money, by whatever door it comes: one reading for what is recorded and compared with
 * what was sent before, for limits, and for whoever confirms it.
 *
 * Gateways take a field in other letters (`transactionId`), in the query, and inside of an object. So a
 * field is known by its letters and digits alone, wherever it stands. Of several the outermost count, and
 * where those do not say the same nobody knows which of them the gateway goes by.
 */
import { isObject, type Json } from '../../base/json.ts';
import { maskCardNumber } from '../../contract/cards/card-number.ts';
import { currencyCode, currencyExponent, USUAL_EXPONENT } from '../../contract/currency.ts';
import { minorUnits, parseDecimal } from '../../contract/money.ts';
import type { Operation } from '../../contract/operation.ts';
import { plainId } from '../../contract/record-id.ts';
import { kindOfName } from '../../host/redaction/names.ts';
import { type CallInput, pairsOf } from './wire-request.ts';

export interface SaidMoney {
  /** Whose money it is: id of a purchase, token, or masked card number. */
  target: string | null;
  /** Minor units. */
  amount: number | null;
  /** ISO 4217 code. */
  currency: string | null;
  reference: string | null;
  /** Fields that say any of that in no way that can be read, or in several that differ. */
  unread: readonly string[];
  /** Everything that may be an amount, wherever it stands. */
  amounts: readonly SaidAmount[];
}

export interface SaidAmount {
  value: Json;
  /** undefined for what cannot be read. */
  minor: number | undefined;
}

/** A value in a request; a list or an object, too, has a name. */
interface SentValue {
  /** Names on the way to it, as they were sent. */
  path: readonly string[];
  /** The last one, as letters and digits. */
  name: string;
  value: Json;
}

/** What is deeper may be anything, an amount too. */
const MAX_DEPTH = 100;
const AMOUNTS = ['amount', 'decimalamount'];
const LIKE_AMOUNT = /amount|total|price|cents/;

/** @returns what is said of money; null for what is not said, or cannot be read */
export function moneyOf({ money }: Pick<Operation, 'money'>, input: CallInput): SaidMoney {
  const { id } = input;
  const all = saidBy(input);
  const unread: string[] = [];
  const one = <Value>(some: readonly SentValue[], read: (said: SentValue) => Value | undefined) => {
    const depth = Math.min(...some.map(({ path }) => path.length));
    const outermost = some.filter(({ path }) => path.length === depth);
    const [value, ...others] = new Set(outermost.map(read));
    if (outermost.length === 0 || (value !== undefined && others.length === 0)) return value;
    unread.push(...new Set(outermost.map(({ path }) => path.join('.'))));
    return undefined;
  };
  const named = (...names: readonly string[]) => all.filter(({ name }) => names.includes(name));
  const currency = one(named('currency', 'currencycode'), readCode);
  const minor = (said: SentValue) => readAmount(said, currency);
  const targets = (money?.target ?? []).map((name) =>
    name.startsWith('{')
      ? saidIn(id === undefined ? {} : { id })
      : all.filter((said) => isCalled(said, name)),
  );
  return {
    target: one(targets.find((some) => some.length > 0) ?? [], readTarget) ?? null,
    amount: one(named(...AMOUNTS), minor) ?? null,
    currency: currency ?? null,
    reference: one(named('reference'), readText) ?? null,
    unread,
    amounts: all
      .filter((said) => LIKE_AMOUNT.test(said.name) && mayBeAmount(said))
      .map((said) => ({ value: said.value, minor: minor(said) })),
  };
}

/** @returns whose money a request moves; null where it does not say */
export function targetOf(operation: Pick<Operation, 'money'>, input: CallInput): string | null {
  return moneyOf(operation, input).target;
}

/** @param name as letters and digits. @returns the values of all fields that are so called, wherever they stand */
export function valuesCalled(name: RegExp, input: CallInput): Json[] {
  return saidBy(input).flatMap((said) => (name.test(said.name) ? [said.value] : []));
}

function saidBy({ query = {}, body = {} }: CallInput): SentValue[] {
  return [
    ...pairsOf(query).flatMap(([name, value]) => saidIn({ [name]: value })),
    ...saidIn(body),
  ].filter(({ value }) => !isBlank(value));
}

function saidIn(value: Json, path: readonly string[] = []): SentValue[] {
  const own = { path, name: plain(path.at(-1) ?? ''), value };
  if (typeof value !== 'object' || value === null) return [own];
  if (path.length > MAX_DEPTH) return [{ ...own, name: 'amount' }];
  const inner = isObject(value)
    ? Object.entries(value).flatMap(([name, field]) => saidIn(field, [...path, ...namesIn(name)]))
    : value.flatMap((item) => saidIn(item, path));
  return path.length === 0 ? inner : [own, ...inner];
}

/** `purchase[amount]` is the amount of a purchase, as in a form. */
function namesIn(name: string): string[] {
  return name.split(/[.[\]]+/).filter((part) => plain(part) !== '');
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z\d]/g, '');

/** Section 7: a blank value is as good as none. */
function isBlank(value: Json): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

function isCalled({ name, value }: SentValue, wanted: string): boolean {
  if (name === plain(wanted)) return true;
  const kind = kindOfName(name);
  if (wanted === 'card_number')
    return kind === 'card number' && String(value).replaceAll(/[^\dX]/g, '').length >= 12;
  return wanted === 'card_token' && kind === 'card token';
}

/** A number is the text that it is sent as. */
function readText({ value }: SentValue): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : undefined;
}

function readCode(said: SentValue): string | undefined {
  const text = readText(said);
  return text === undefined ? undefined : currencyCode(text);
}

function readTarget(said: SentValue): string | undefined {
  const text = readText(said);
  if (text === undefined) return undefined;
  return kindOfName(said.name) === 'card number' ? maskCardNumber(text) : plainId(text);
}

function readAmount(said: SentValue, currency: string | undefined): number | undefined {
  const isDecimal = said.name !== 'amount' && /\./.test(readText(said) ?? '');
  if (!isDecimal && said.name !== 'decimalamount') return minorUnits(said.value);
  const decimals = currencyExponent(currency ?? '') ?? USUAL_EXPONENT;
  const minor = parseDecimal((readText(said) ?? '').replace(/^\s*[-+]|\s/g, ''), decimals);
  return Number.isSafeInteger(minor) ? minor : undefined;
}

/** Of what is only called much like one, a text without a digit is none: `amount_currency`. */
function mayBeAmount({ name, value }: SentValue): boolean {
  return AMOUNTS.includes(name) || typeof value === 'object' || /\d/.test(String(value));
}
