/**
 * Most of what arrives has neither card data nor secrets in it, and to say so takes a small part of the
 * time that it takes to mask. What is said here is never wrong about that: where anything is in doubt, the
 * whole of redact.ts decides.
 */
import type { Json } from '../../base/json.ts';
import { holdsCardNumber, mayHoldCardNumber } from '../../contract/cards/find-card-numbers.ts';
import { kindOfName } from './names.ts';

/** Digits of the shortest card number. */
const MIN_CARD_DIGITS = 12;
/** Less than the least number with so many digits, of which the first may be 0. */
const LEAST_CARD = 1e11;
/** Deeper than this the value is not looked at. */
const MAX_DEPTH = 100;

/**
 * Without these no secret is told by a text, no character is written as several others, no address has a
 * password, and no number has more digits than are written.
 */
const SUSPECT =
  /[\\%&]|:\/\/|(?:^|[\s:,[])-?\d[\d.]*e|cv[vcnd]|csc|cav|security|verification|api[_-]?token|passw|passphrase|basic|bearer/i;

/**
 * @param text JSON, of which `value` is what it says
 * @returns true only where neither `redactJson(value)` nor `redactText(text)` changes anything
 */
export function isPlainJson(text: string, value: Json): boolean {
  if (SUSPECT.test(text)) return false;
  const hasDigits = mayHoldCardNumber(text);
  return !(hasDigits && holdsCardNumber(text)) && isPlain(value, hasDigits, 0);
}

/** @param hasDigits whether there may be a card number in a text or a number, and not by a name alone */
function isPlain(value: Json, hasDigits: boolean, depth: number): boolean {
  if (typeof value === 'string') return !hasDigits || !holdsCardNumber(value);
  if (typeof value === 'number') return !hasDigits || Math.abs(value) < LEAST_CARD;
  if (typeof value !== 'object' || value === null) return true;
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isPlain(item, hasDigits, depth + 1));
  for (const name in value) {
    const inner = value[name] as Json;
    if (hasDigits && holdsCardNumber(name)) return false;
    if (!isPlainField(name, inner) || !isPlain(inner, hasDigits, depth + 1)) return false;
  }
  return true;
}

/** @returns false where the name makes the value card data or a secret, or may do so */
function isPlainField(name: string, value: Json): boolean {
  const kind = kindOfName(name);
  if (kind === 'secret' || kind === 'maybe secret') return false;
  if (kind !== 'card number' || typeof value !== 'string') return true;
  return value.length < MIN_CARD_DIGITS || value.replace(/\D/g, '').length < MIN_CARD_DIGITS;
}
