/**
 * The one form in which gw prints a record, and what a record says of its outcome.
 *
 * The interface has two names or shapes for some things: `successful` and `authorized`,
 * `authorization` and `authorization_id`, and an expiry as MM/YYYY, date or date-time. The normal
 * form has `successful`, `authorization` (text or null) and `card_expiry` as MM/YYYY. Everything
 * else, fields that the interface does not name included, stays as it came.
 */

import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { formatExpiry, parseExpiry } from './expiry.ts';
import type { RecordKind } from './record-id.ts';

/**
 * What became of a purchase, a refund or a tokenization according to its record. A card is `declined` by
 * its issuer, for a reason; what was `rejected` never reached one, and deployments may keep it all the same.
 */
export type Outcome = 'approved' | 'declined' | 'rejected' | 'unclear';

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

/** Moves a value under its other name to the normal one; two different values are both kept. */
function foldName(record: JsonObject, name: string, other: string): void {
  if (!(other in record)) return;
  const value = record[name] ?? record[other] ?? null;
  if (record[other] !== null && record[other] !== value) return;
  record[name] = value;
  delete record[other];
}

/**
 * @param record a record in normal form
 * @returns `unclear` also where its flags, its words and its numbers contradict each other
 */
export function outcomeOf(kind: RecordKind, record: JsonObject): Outcome {
  const said = [record.successful, record.authorized].filter(
    (flag) => flag !== undefined && flag !== null,
  );
  // A token is as good without a word on the card; only a clear no counts.
  if (kind === 'card' && said.length === 0) return 'approved';
  if (kind === 'refund' && said.length === 0) return outcomeByWord(record);
  const words = [record.message, record.refunded].map(plain);
  const isAll = (value: boolean) => said.length > 0 && said.every((flag) => flag === value);
  const isKept = kind === 'refund' && record.refunded === false;
  if (isAll(true) && !isKept && !words.some(saysRefused)) return 'approved';
  if (!isAll(false) || saysMoved(record)) return 'unclear';
  // A decline states its reason (section 3.1).
  const isSilent = record.message !== undefined && words.every((word) => word.trim() === '');
  return isSilent ? 'rejected' : 'declined';
}

/** The outcome of a refund that has no flag. */
function outcomeByWord(record: JsonObject): Outcome {
  const [message, refunded] = [record.message, record.refunded].map(plain) as [string, string];
  if (refunded === 'Approved' && !saysRefused(message)) return 'approved';
  return saysRefused(refunded) && !saysMoved(record) ? 'declined' : 'unclear';
}

/** @returns whether it is certain by its record that no money moved */
export function isUnsuccessful(outcome: Json): outcome is 'declined' | 'rejected' {
  return outcome === 'declined' || outcome === 'rejected';
}

/** @returns whether what a record says of itself is that it was voided: taken back, and nothing a bank declined */
export function saysVoid(...words: readonly (Json | undefined)[]): boolean {
  return words.some((word) => VOIDED.test(plain(word)));
}

const VOIDED = /^\s*(?:transaction\s+)?void(?:ed)?\b/i;
const APPROVED = /\bapproved\b/i;
const REFUSED = /\b(?:declined|refused|rejected)\b/i;
/** Before the word: `Not approved`, `Exceeds the approved limit`. */
const NOT =
  /\b(?:no|not|never|cannot|until|unless|only|must|declined|refused|rejected|exceed\w*)\b|n['\u2019]t\b/i;

/** `08 Approved` and `Transaction approved` say it; what follows the word takes nothing back. */
function saysApproved(word: string): boolean {
  const at = word.search(APPROVED);
  return at !== -1 && !NOT.test(word.slice(0, at));
}

function saysRefused(word: string): boolean {
  return REFUSED.test(word) || (APPROVED.test(word) && !saysApproved(word));
}

const FLAGS = ['successful', 'authorized', 'captured', 'refunded'];
/** Numbers that only a request that was processed gets: sections 2.3 to 2.6. */
const NUMBERS = ['authorization', 'authorization_id', 'captured_amount'];

/**
 * @param record as it came, or in normal form
 * @returns whether anything of it says that a card was charged or stored, or money given back: a flag, a
 *   word, or a number. Neither an id nor a masked card does: deployments give both to what they reject.
 */
export function saysMoved(record: JsonObject): boolean {
  return (
    FLAGS.some((name) => isTrue(record[name])) ||
    [record.message, record.refunded].some((word) => saysApproved(plain(word))) ||
    NUMBERS.some((name) => isNumber(record[name]))
  );
}

/** @returns whether a record has the number of an authorization */
export function isAuthorized({ authorization, authorization_id }: JsonObject): boolean {
  return isNumber(authorization) || isNumber(authorization_id);
}

/** 0 and 000000 are none. */
function isNumber(value: Json | undefined): boolean {
  return /[^\s0.]/.test(plain(value));
}

/** @returns whether a flag is set, in any of the forms that deployments give it */
export function isTrue(flag: Json | undefined): boolean {
  return /^(true|1)$/i.test(plain(flag));
}

/** @returns a text, a number or a set flag as text; of all else nothing */
function plain(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' || value === true
    ? String(value)
    : '';
}

/** @returns the records of an envelope's `response`: none for null or {}, one, or the list. */
export function recordsOf(response: unknown): JsonObject[] {
  const values = Array.isArray(response) ? response : [response];
  return values.filter(isObject).filter((record) => Object.keys(record).length > 0);
}
