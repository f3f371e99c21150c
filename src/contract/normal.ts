/**
 * Converts a record to the one form that gw prints, and reads its outcome.
 *
 * The interface has two names or forms for some fields: `successful` and `authorized`, `authorization` and
 * `authorization_id`, and an expiry as MM/YYYY, date or date-time. The normal form has `successful`, `authorization`
 * (text or null) and `card_expiry` as MM/YYYY. Everything else stays as it arrived, including fields that the interface
 * does not name.
 */

import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { textOrNull } from '../base/text.ts';
import { formatExpiry, parseExpiry } from './expiry.ts';
import { minorUnits } from './money.ts';
import type { RecordKind } from './record.ts';

/**
 * Outcome of a purchase, a refund or a tokenization according to its record. `authorised`: the issuer approved a
 * purchase, and no money was taken yet. `declined`: the card's issuer refused, for a reason. `rejected`: the request
 * never reached an issuer, although deployments may keep a record.
 */
export type Outcome = 'approved' | 'authorised' | 'declined' | 'rejected' | 'unclear';

export function normalRecord(kind: RecordKind, record: JsonObject): JsonObject {
  const normal: JsonObject = { ...record };
  if (kind === 'purchase') {
    foldName(normal, 'successful', 'authorized');
    foldName(normal, 'authorization', 'authorization_id');
    if (typeof normal.authorization === 'number')
      normal.authorization = String(normal.authorization);
  }
  if (typeof normal.card_expiry === 'string') {
    const expiry = parseExpiry(normal.card_expiry);
    if (expiry) normal.card_expiry = formatExpiry(expiry);
  }
  return normal;
}

/** @returns the name of the person whom a record describes (section 2.6); null if it has none */
export function fullNameOf({ first_name, last_name }: JsonObject): string | null {
  return [first_name, last_name].filter(textOrNull).join(' ') || null;
}

/** Moves a value from its other name to the normal one. Keeps both if they differ. */
function foldName(record: JsonObject, name: string, other: string): void {
  if (!(other in record)) return;
  const value = record[name] ?? record[other] ?? null;
  if (record[other] !== null && record[other] !== value) return;
  record[name] = value;
  delete record[other];
}

/**
 * @param record a record in normal form
 * @returns the outcome; `unclear` also if flags, words and numbers contradict each other
 */
export function outcomeOf(kind: RecordKind, record: JsonObject): Outcome {
  const said = [record.successful, record.authorized].filter(
    (flag) => flag !== undefined && flag !== null,
  );
  // A token is valid even if the record says nothing about the card; only a clear no counts.
  if (kind === 'card' && said.length === 0) return 'approved';
  if (kind === 'refund' && said.length === 0) return outcomeByWord(record);
  const words = [record.message, record.refunded].map(plain);
  const isAll = (value: boolean) => said.length > 0 && said.every((flag) => flag === value);
  const isKept = kind === 'refund' && record.refunded === false;
  if (isAll(true) && !isKept && !words.some(saysRefused))
    return kind === 'purchase' ? outcomeByCapture(record) : 'approved';
  if (!isAll(false) || saysMoved(record)) return 'unclear';
  // A decline states its reason (section 3.1).
  const isSilent = record.message !== undefined && words.every((word) => word.trim() === '');
  return isSilent ? 'rejected' : 'declined';
}

/**
 * Outcome of an approved purchase. Each of 1,400 recorded sales has its whole amount, or the captured part of it, as
 * `captured_amount`. It is 0 of what was only authorised, and of what was voided, which keeps its `captured: true`.
 */
function outcomeByCapture({ captured, captured_amount, message }: JsonObject): Outcome {
  if (readFlag(captured) === false) return isNumber(captured_amount) ? 'unclear' : 'authorised';
  if (!isZero(captured_amount)) return 'approved';
  return saysVoid(message) ? 'unclear' : 'authorised';
}

/**
 * @param record a purchase, or any other record with an amount
 * @returns what counts of the amount, in minor units: of a purchase that was captured in part, that part, and never
 *   more than the amount. All of the amount if nothing was captured, because then the outcome says that nothing was
 *   paid. null if it is not known.
 */
export function amountOf({ amount, captured_amount: said }: JsonObject): number | null {
  if (!Number.isSafeInteger(amount)) return null;
  const all = amount as number;
  if (said == null || said === '' || isZero(said)) return all;
  const captured = minorUnits(said);
  return captured === undefined ? null : Math.min(all, captured);
}

/** @returns what was paid of a purchase, in minor units: 0 if nothing was taken; null if it is not known, or a decline */
export function paidOf(record: JsonObject): number | null {
  const outcome = outcomeOf('purchase', record);
  const isUntaken = outcome === 'unclear' && isZero(record.captured_amount);
  if (outcome === 'authorised' || isUntaken) return 0;
  return record.successful === false ? null : amountOf(record);
}

/** Outcome of a refund without a flag. */
function outcomeByWord(record: JsonObject): Outcome {
  const [message, refunded] = [record.message, record.refunded].map(plain) as [string, string];
  if (refunded === 'Approved' && !saysRefused(message)) return 'approved';
  return saysRefused(refunded) && !saysMoved(record) ? 'declined' : 'unclear';
}

/** @returns whether the gateway did what was asked; a purchase may only have been authorised, as its request said */
export function isSuccessful(outcome: Json): outcome is 'approved' | 'authorised' {
  return outcome === 'approved' || outcome === 'authorised';
}

/** @returns whether it is certain that no money moved; a charge is abandoned after its last retry was declined */
export function isUnsuccessful(outcome: Json): outcome is 'declined' | 'rejected' | 'abandoned' {
  return outcome === 'declined' || outcome === 'rejected' || outcome === 'abandoned';
}

/** @returns whether a text says that the transaction was voided, which is not a decline */
export function saysVoid(...words: readonly (Json | undefined)[]): boolean {
  return words.some((word) => VOIDED.test(plain(word)));
}

const VOIDED = /^\s*(?:transaction\s+)?void(?:ed)?\b/i;
const APPROVED = /\bapproved\b/i;
const REFUSED = /\b(?:declined|refused|rejected)\b/i;
/** Negations before the word: `Not approved`, `Exceeds the approved limit`. */
const NOT =
  /\b(?:no|not|never|cannot|until|unless|only|must|declined|refused|rejected|exceed\w*)\b|n['\u2019]t\b/i;

/** `08 Approved` and `Transaction approved` count. Words after "approved" do not negate it. */
function saysApproved(word: string): boolean {
  const at = word.search(APPROVED);
  return at !== -1 && !NOT.test(word.slice(0, at));
}

function saysRefused(word: string): boolean {
  return REFUSED.test(word) || (APPROVED.test(word) && !saysApproved(word));
}

const FLAGS = ['successful', 'authorized', 'captured', 'refunded'];
/** Fields with numbers that only a processed request gets (sections 2.3 to 2.6). */
const NUMBERS = ['authorization', 'authorization_id', 'captured_amount'];

/**
 * @param record as it arrived, or in normal form
 * @returns whether a flag, a word or a number says that a card was charged or stored, or money refunded. An id or a
 *   masked card is not enough, because deployments give both to rejected requests.
 */
export function saysMoved(record: JsonObject): boolean {
  return (
    FLAGS.some((name) => readFlag(record[name]) === true) ||
    [record.message, record.refunded].some((word) => saysApproved(plain(word))) ||
    NUMBERS.some((name) => isNumber(record[name]))
  );
}

/** @returns whether a record has an authorization number */
export function isAuthorized({ authorization, authorization_id }: JsonObject): boolean {
  return isNumber(authorization) || isNumber(authorization_id);
}

/** 0 and 000000 are not numbers of an authorization. */
function isNumber(value: Json | undefined): boolean {
  return /[^\s0.]/.test(plain(value));
}

/** Whether it says none, as a number or as text. */
function isZero(value: Json | undefined): boolean {
  return plain(value).trim() !== '' && !isNumber(value);
}

/** @returns a flag in any form that deployments use; undefined for a value that is neither yes nor no */
export function readFlag(value: Json | undefined): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = plain(value).trim().toLowerCase();
  if (word === 'true' || word === '1') return true;
  return word === 'false' || word === '0' ? false : undefined;
}

/** @returns a text, a number or a set flag as text; '' for anything else */
function plain(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' || value === true
    ? String(value)
    : '';
}

/** @returns a record's response code as it is compared and kept: two signs; null if it has none */
export function responseCodeOf(value: Json | undefined): string | null {
  const code = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  return /^\w{1,4}$/.test(code) ? code.toUpperCase().padStart(2, '0') : null;
}

/** @returns the records of an envelope's `response`: none for null or {}, one, or the list */
export function recordsOf(response: unknown): JsonObject[] {
  const values = Array.isArray(response) ? response : [response];
  return values.filter(isObject).filter((record) => Object.keys(record).length > 0);
}

/** Fields that find a record in ways of their own. */
const NAMES = ['id', 'transaction_id', 'reference', 'card_token', 'customer', 'plan', 'email'];
const AMOUNT = /amount|fee|total|count$/;
/** Days and times, masked card numbers. */
const NO_NUMBER = /^\d{4}-\d\d-\d\d|\d[X*]+\d/i;
const SHORTEST_NUMBER = 4;

/**
 * @param record in normal form
 * @returns the further texts with digits that a screen shows of it, so that people find it by what they read there:
 *   `authorization`, and what deployments add, such as `rrn`
 */
export function numbersIn(record: JsonObject): string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    if (isObject(value)) return numbersIn(value);
    if (name === 'authorization') return textOrNull(value) ?? [];
    const text = NAMES.includes(name) || AMOUNT.test(name) ? null : textOrNull(value);
    const isNumber = text !== null && /\d/.test(text) && !NO_NUMBER.test(text);
    return isNumber && text.length >= SHORTEST_NUMBER ? [text] : [];
  });
}
