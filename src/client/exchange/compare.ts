/**
 * Whether a record is an answer to what was asked: whatever the request fixed is compared with what
 * came back. A field that either side leaves out says nothing, and names of people, which gateways
 * write in their own way, are not compared.
 */
import type { Json, JsonObject } from '../../base/json.ts';
import { maskCardNumber } from '../../contract/cards/card-number.ts';
import type { Operation } from '../../contract/operation.ts';
import { kindOfId } from '../../contract/record-id.ts';
import { redactText } from '../../host/redaction/redact.ts';
import { cut } from '../../host/redaction/safe.ts';
import type { CallInput } from './wire-request.ts';

export interface Difference {
  field: string;
  /** Both as they may be shown. */
  asked: string;
  answered: string;
}

/** Whether two values, neither of them null, may be the same thing. */
type Comparison = (asked: Json, answered: Json, record: JsonObject) => boolean;

const MAX_SHOWN = 80;

/** Fields of bodies that come back as they were sent. */
const COMPARED: Readonly<Record<string, Comparison>> = {
  amount: (asked, answered) => amountOf(asked) === undefined || isSameAmount(asked, answered),
  currency: isSameText,
  reference: isSameText,
  // Some gateways give the refund's own id here.
  transaction_id: (asked, answered, { id }) =>
    mayNameTheSame(asked, answered) || isSameText(answered, id ?? null),
  alias: isSameText,
  card_number: isSameCard,
  card_token: (asked, answered) => isSameText(asked, answered) || mayBeAlias(asked, answered),
  customer: mayNameTheSame,
  plan: mayNameTheSame,
  frequency: isSameText,
  is_active: (asked, answered) => isSameText(flagOf(asked), flagOf(answered)),
};

/**
 * @param operation what was asked, by its row
 * @param input the id in the path and the body, as they were sent; card numbers may be masked
 * @param record of the answer
 * @returns what was answered differently
 */
export function differencesOf(
  { lookUp }: Operation,
  { id, body = {} }: CallInput,
  record: JsonObject,
): Difference[] {
  const renamed = body.reference !== undefined;
  const named = id === undefined ? undefined : otherRecord(id, record, { lookUp, renamed });
  const fields = Object.entries(COMPARED).flatMap(([field, isSame]) => {
    const [asked, answered] = [body[field] ?? null, record[field] ?? null];
    if (asked === null || answered === null || isSame(asked, answered, record)) return [];
    return [{ field, asked: shown(field, asked), answered: shown(field, answered) }];
  });
  return named ? [named, ...fields] : fields;
}

/** @returns for example `its amount is 999999, where 1000 was asked for` */
export function sayDifferences(differences: readonly Difference[]): string {
  const said = differences.map(
    ({ field, asked, answered }) => `its ${field} is ${answered}, not ${asked} as requested`,
  );
  return said.join(', and ');
}

/**
 * A record is asked for by its id or, where the row or the deployment says so, by its reference.
 * @param renamed whether the request changes the reference, by which the record may have been asked for
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
  // What was asked for may have been the id, which is not shown.
  if (byReference && id === null && !lookUp?.includes('reference')) return undefined;
  const [field, answered] = byReference
    ? (['reference', reference] as const)
    : (['id', id] as const);
  if (answered === null) return undefined;
  return { field, asked: shown(field, asked), answered: shown(field, answered) };
}

/** @returns a value as text; none for an object, of which an answer may choose what it becomes as text */
export function fieldText(value: Json | undefined): string {
  return typeof value === 'object' ? '' : String(value);
}

/** Text, numbers and flags in any of their forms; case and space around them say nothing. */
function isSameText(asked: Json, answered: Json): boolean {
  const [a, b] = [asked, answered].map((value) =>
    fieldText(value).normalize().trim().toLowerCase(),
  );
  return a === b && typeof answered !== 'object';
}

function flagOf(value: Json): Json {
  return { '1': true, '0': false }[fieldText(value)] ?? value;
}

/** A refund has its amount below zero, or above. */
function isSameAmount(asked: Json, answered: Json): boolean {
  const [a, b] = [amountOf(asked), amountOf(answered)];
  return a === b && b !== undefined;
}

/** @returns the digits of a whole number, without its sign; undefined for anything else */
function amountOf(value: Json): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  // Not 1e21.
  const text = Number.isInteger(value) ? BigInt(value) : value;
  return /^[-+]?(\d{1,400})(?:\.0*)?$/.exec(String(text).trim())?.[1]?.replace(/^0+(?=\d)/, '');
}

/** The digits that both show: all, or the first and the last ones. */
function isSameCard(asked: Json, answered: Json): boolean {
  if (typeof answered !== 'string' && typeof answered !== 'number') return false;
  const [a, b] = [asked, answered].map((value) => fieldText(value).replace(/[ -]/g, ''));
  const [startA, endA] = endsOf(a ?? '');
  const [startB, endB] = endsOf(b ?? '');
  return startsAlike(startA, startB) && startsAlike(reversed(endA), reversed(endB));
}

/** @returns the digits before and after what is hidden of a card number */
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

/** An id and a reference may name one thing; two ids do not, nor do two references. */
function mayNameTheSame(asked: Json, answered: Json): boolean {
  if (typeof answered === 'object') return true;
  const [a, b] = [asked, answered].map((name) => kindOfId(fieldText(name).trim()) !== undefined);
  return a !== b || isSameText(asked, answered);
}

/**
 * A card may be charged by an alias, and is answered with its token. What was sent is a token, and no
 * alias, when it is made like the one that came back: the same letters apart from digits, or as long,
 * of the same characters, and not a word or a number.
 */
function mayBeAlias(asked: Json, answered: Json): boolean {
  const [a, b] = [fieldText(asked), fieldText(answered)];
  if (stem(a) === stem(b)) return false;
  const isWord = /^[a-z]*[^a-z\d]*\d*$/i.test(a);
  return isWord || a.length !== b.length || alphabet(a) !== alphabet(b);
}

const stem = (text: string) => text.replace(/\d/g, '0');

/** @returns which kinds of characters a text has, such as `a0` for small letters and digits */
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
