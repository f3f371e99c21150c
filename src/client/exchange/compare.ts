/**
 * Checks whether a record answers the request. Compares everything that the request fixed with the record. A field
 * missing on either side is ignored. Names of people are not compared, because gateways write them in their own way.
 */
import type { Json, JsonObject } from '../../base/json.ts';
import { maskCardNumber } from '../../contract/cards/card-number.ts';
import { readFlag } from '../../contract/normal.ts';
import type { Operation } from '../../contract/operation.ts';
import { kindOfId } from '../../contract/record.ts';
import { redactText } from '../../host/redaction/redact.ts';
import { cut } from '../../host/redaction/safe.ts';
import { saidCurrency } from './said-money.ts';
import type { CallInput } from './wire-request.ts';

export interface Difference {
  field: string;
  /** Both values as they may be shown. */
  asked: string;
  answered: string;
}

/** Whether two values, neither null, may mean the same thing. */
type Comparison = (asked: Json, answered: Json, record: JsonObject) => boolean;

const MAX_SHOWN = 80;

/** Body fields that an answer repeats. */
const COMPARED: readonly (readonly [field: string, isSame: Comparison])[] = Object.entries({
  amount: (asked, answered) => amountOf(asked) === undefined || isSameAmount(asked, answered),
  currency: isSameText,
  reference: isSameText,
  // Some gateways put the refund's own id here.
  transaction_id: (asked, answered, { id }) =>
    mayNameTheSame(asked, answered) || isSameText(answered, id ?? null),
  alias: isSameText,
  card_number: isSameCard,
  card_token: (asked, answered) => isSameText(asked, answered) || mayBeAlias(asked, answered),
  customer: mayNameTheSame,
  plan: mayNameTheSame,
  frequency: isSameText,
  is_active: (asked, answered) =>
    isSameText(readFlag(asked) ?? asked, readFlag(answered) ?? answered),
} satisfies Record<string, Comparison>);

/**
 * @param operation the row of the request
 * @param input the id in the path and the body, as sent; card numbers may be masked. The currency of its amount, which
 *   need not be sent
 * @param record a record of the answer
 * @returns the fields that differ
 */
export function differencesOf(
  { lookUp }: Operation,
  input: CallInput,
  record: JsonObject,
): Difference[] {
  const { id, body = {} } = input;
  const renamed = body.reference !== undefined;
  const named = id === undefined ? undefined : otherRecord(id, record, { lookUp, renamed });
  const differences = named ? [named] : [];
  for (const [field, isSame] of COMPARED) {
    const isRead = field === 'currency' && body.currency === undefined;
    const [asked = null, answered = null] = [
      isRead ? saidCurrency(input) : body[field],
      record[field],
    ];
    // Nothing was sent that a blank could contradict.
    if (isRead && answered === '') continue;
    if (asked === null || answered === null || isSame(asked, answered, record)) continue;
    differences.push({ field, asked: shown(field, asked), answered: shown(field, answered) });
  }
  return differences;
}

/** @returns for example `its amount is 999999, not 1000 as requested` */
export function sayDifferences(differences: readonly Difference[]): string {
  const said = differences.map(
    ({ field, asked, answered }) => `its ${field} is ${answered}, not ${asked} as requested`,
  );
  return said.join(', and ');
}

/**
 * A request names a record by its id. It may use the reference if the row or the deployment allows that.
 * @param renamed whether the request changes the reference, which may have named the record
 */
function otherRecord(
  asked: string,
  { id = null, reference = null }: JsonObject,
  { lookUp, renamed }: { lookUp: Operation['lookUp']; renamed: boolean },
): Difference | undefined {
  if (isSameText(asked, id) || isSameText(asked, reference)) return undefined;
  const isId = kindOfId(asked.trim()) !== undefined;
  if (renamed && !isId) return undefined;
  const byReference = !isId && (lookUp === 'reference' || reference !== null);
  // The request may have used the id, which the record does not show.
  if (byReference && id === null && !lookUp?.includes('reference')) return undefined;
  const [field, answered] = byReference
    ? (['reference', reference] as const)
    : (['id', id] as const);
  if (answered === null) return undefined;
  return { field, asked: shown(field, asked), answered: shown(field, answered) };
}

/** @returns the value as text; '' for an object, because the answer could choose its text */
export function fieldText(value: Json | undefined): string {
  return typeof value === 'object' ? '' : String(value);
}

/** Compares text, numbers and flags in any of their forms. Ignores case and surrounding space. */
function isSameText(asked: Json, answered: Json): boolean {
  const [a, b] = [asked, answered].map((value) =>
    fieldText(value).normalize().trim().toLowerCase(),
  );
  return a === b && typeof answered !== 'object';
}

/** A refund's amount may be negative or positive. */
function isSameAmount(asked: Json, answered: Json): boolean {
  const [a, b] = [amountOf(asked), amountOf(answered)];
  return a === b && b !== undefined;
}

/** @returns the digits of a whole number, without its sign; undefined for anything else */
function amountOf(value: Json): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  // Avoids a form such as 1e21.
  const text = Number.isInteger(value) ? BigInt(value) : value;
  return /^[-+]?(\d{1,400})(?:\.0*)?$/.exec(String(text).trim())?.[1]?.replace(/^0+(?=\d)/, '');
}

/** Compares the digits that both show: all of them, or the first and the last. */
function isSameCard(asked: Json, answered: Json): boolean {
  if (typeof answered !== 'string' && typeof answered !== 'number') return false;
  const [a, b] = [asked, answered].map((value) => fieldText(value).replace(/[ -]/g, ''));
  const [startA, endA] = endsOf(a ?? '');
  const [startB, endB] = endsOf(b ?? '');
  return startsAlike(startA, startB) && startsAlike(reversed(endA), reversed(endB));
}

/** @returns the digits before and after the hidden part of a card number */
function endsOf(number: string): [start: string, end: string] {
  // A few digits alone are the last ones.
  if (/^\d{1,8}$/.test(number)) return ['', number];
  return [/^\d*/.exec(number)?.[0] ?? '', /(?<!\d)\d+$/.exec(number)?.[0] ?? ''];
}

function startsAlike(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a);
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}

/** An id and a reference may name the same record. Two different ids do not, nor do two different references. */
function mayNameTheSame(asked: Json, answered: Json): boolean {
  if (typeof answered === 'object') return true;
  const [a, b] = [asked, answered].map((name) => kindOfId(fieldText(name).trim()) !== undefined);
  return a !== b || isSameText(asked, answered);
}

/**
 * A card may be charged by an alias, and the answer then has its token. The sent value is a token rather than an alias
 * if it resembles the returned one. It resembles it if it has the same letters around the digits. It also does if it
 * has the same length and kinds of characters, and is not a word or a number.
 */
function mayBeAlias(asked: Json, answered: Json): boolean {
  const [a, b] = [fieldText(asked), fieldText(answered)];
  if (stem(a) === stem(b)) return false;
  const isWord = /^[a-z]*[^a-z\d]*\d*$/i.test(a);
  return isWord || a.length !== b.length || alphabet(a) !== alphabet(b);
}

const stem = (text: string) => text.replace(/\d/g, '0');

/** @returns the kinds of characters in a text, such as `a0` for small letters and digits */
function alphabet(text: string): string {
  const kinds = [...text].map((c) =>
    c.replace(/[a-z]/, 'a').replace(/[A-Z]/, 'A').replace(/\d/, '0'),
  );
  return [...new Set(kinds)].sort().join('');
}

function shown(field: string, value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (field === 'card_number' && typeof value !== 'object') return maskCardNumber(String(value));
  return cut(redactText(text), MAX_SHOWN);
}
