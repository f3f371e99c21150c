/**
 * Refuses a card number outside its own field before anything is sent. Such a number would be stored, shown and quoted
 * unmasked.
 *
 *   the number of the card of this request                 in every other field
 *   looks like one (issuer, length, check digit)           in every field that is no identifier
 *   the same, as a word by itself                          also in an identifier, on a live profile
 *
 * A merchant chooses identifiers (references, ids). One in thirty with sixteen random digits looks like a card number.
 * A real number entered by mistake is a word by itself. Nobody types one inside a word with letters (`INV-4111…`). A
 * profile that is not live has no real cards.
 */
import { eachField, isObject, type Json } from '../../base/json.ts';
import {
  holdsCardNumber,
  maskCardNumbers,
  maskKnownNumbers,
} from '../../contract/cards/find-card-numbers.ts';
import type { Operation } from '../../contract/operation.ts';
import { type Failure, usage } from '../../failure.ts';
import { kindOfName } from '../../host/redaction/redact.ts';
import { type CallInput, pairsOf } from './wire-request.ts';

/** @returns dotted and masked names of the fields with a stray card number */
export function strayCardNumbers(body: Json, isLive: boolean): string[] {
  const own = ownNumbers(body);
  return strayIn(body, [], (value, isIdentifier) =>
    isIdentifier
      ? holdsOneOf(value, own) || (isLive && holdsBareCardNumber(value))
      : holdsOneOf(value, own) || holdsCardNumber(value),
  );
}

/** @throws Failure usage if a request has a card number in a wrong field, or in its address */
export function refuseStrayCardNumbers(
  { path }: Operation,
  { id = '', query = {}, body = {} }: CallInput,
  isLive: boolean,
): void {
  const [field] = strayCardNumbers(body, isLive);
  if (field !== undefined) {
    const isBare = !strayCardNumbers(body, false).includes(field);
    throw misplaced(field, isBare ? 'Begin your references with letters, such as INV-.' : '');
  }
  const names = [id, ...path.split(/[/?]/).map((part) => part.replace(/\.json$/, ''))];
  const isNamed = isLive && names.some(holdsBareCardNumber);
  if (isNamed || pairsOf(query).some(([name, value]) => isStrayPair(name, value, isLive)))
    throw misplaced(
      'The id or address you gave',
      isNamed ? 'Look a record up by its id, or search for it with `gw find`.' : '',
    );
}

function isStrayPair(name: string, value: string, isLive: boolean): boolean {
  if (kindOfName(name) === 'identifier') return isLive && holdsBareCardNumber(value);
  return holdsCardNumber(name) || holdsCardNumber(value);
}

function misplaced(where: string, next: string): Failure {
  return usage(
    'card-number-misplaced',
    `${where} looks like a card number: issuer, length and check digit all fit.`,
    `Give a card number only in card_number. ${next}`.trimEnd(),
  );
}

/** @returns whether a text has a card number that is not part of a word with letters */
export function holdsBareCardNumber(text: string): boolean {
  if (!holdsCardNumber(text)) return false;
  const words = text.trim().split(/\s+/);
  return holdsCardNumber(words.filter((word) => !isReference(word)).join(' '));
}

/** @returns whether a word has letters, and only characters that references use */
function isReference(word: string): boolean {
  return /\p{L}/u.test(word) && /^[\p{L}\p{N}._/:#-]+$/u.test(word);
}

/** @returns the digits of the card numbers in a body */
function ownNumbers(body: Json): Set<string> {
  const numbers = new Set<string>();
  eachField(body, (name, value) => {
    const isText = typeof value === 'string' || typeof value === 'number';
    if (isText && kindOfName(name) === 'card number') numbers.add(String(value).replace(/\D/g, ''));
  });
  return numbers;
}

function holdsOneOf(text: string, numbers: ReadonlySet<string>): boolean {
  return maskKnownNumbers(text, numbers) !== text;
}

function strayIn(
  value: Json,
  path: readonly string[],
  isStray: (text: string, isIdentifier: boolean) => boolean,
): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => strayIn(item, path, isStray));
  if (!isObject(value)) {
    const isText = typeof value === 'string' || typeof value === 'number';
    const isIdentifier = kindOfName(path.at(-1) ?? '') === 'identifier';
    return isText && isStray(String(value), isIdentifier) ? [maskCardNumbers(path.join('.'))] : [];
  }
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = [...path, name];
    if (holdsCardNumber(name)) return [maskCardNumbers(here.join('.'))];
    return kindOfName(name) === 'card number' ? [] : strayIn(inner, here, isStray);
  });
}
