/**
 * Identifiers: deterministic and without collisions.
 *
 * The nth identifier of a kind is n sent through an affine permutation, n → (a·n + b) mod m, and
 * written in base 36. `a` and `b` come from the store's seed, so two stores with the same seed hand
 * out the same ids in the same order. As `a` has no factor in common with `m` the map is one to one:
 * no two of the first m numbers share an id, which a cut-off hash could not promise. A code starts
 * with a letter, so that neither a person nor a spreadsheet takes it for a number.
 */
import { createHash } from 'node:crypto';
import type { RecordKind } from '../../contract/record-id.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const LETTERS = 26n;
const BASE = 36n;
/** So many digits are taken at once, and then one by one of a small number, which costs less. */
const PART = 4;
const PART_BASE = BASE ** BigInt(PART);
const ID_LENGTH = 8;
const TOKEN_LENGTH = 12;
const AUTHORIZATION_DIGITS = 6;
const AUTHORIZATIONS = 10n ** BigInt(AUTHORIZATION_DIGITS);

const LETTERS_OF_KIND: Readonly<Record<Exclude<RecordKind, 'card'>, string>> = {
  purchase: 'P',
  refund: 'R',
  plan: 'PL',
  customer: 'C',
  subscription: 'S',
};

/**
 * @param prefix the merchant's three digits
 * @param n position of the record among those of its kind, from 1
 * @returns for example `071-P-K3Q81ZB0`
 */
export function recordId(
  seed: string,
  kind: Exclude<RecordKind, 'card'>,
  prefix: string,
  n: number,
): string {
  return `${prefix}-${LETTERS_OF_KIND[kind]}-${code(`${seed}/${kind}`, ID_LENGTH, n)}`;
}

/** @returns the nth card token: twelve lower-case letters and digits */
export function cardToken(seed: string, n: number): string {
  return code(`${seed}/card`, TOKEN_LENGTH, n).toLowerCase();
}

/** @returns the nth authorization number: six digits, repeated after a million of them */
export function authorizationNumber(seed: string, n: number): string {
  const number = permute(`${seed}/authorization`, AUTHORIZATIONS, n);
  return String(number).padStart(AUTHORIZATION_DIGITS, '0');
}

/** @returns the nth code of a sequence: a letter, then letters and digits */
export function code(sequence: string, length: number, n: number): string {
  let rest = permute(sequence, codesOf(length), n);
  let text = '';
  for (let left = length; left > PART; left -= PART) {
    text = written(Number(rest % PART_BASE), PART) + text;
    rest /= PART_BASE;
  }
  return written(Number(rest), length - text.length) + text;
}

function written(number: number, digits: number): string {
  let text = '';
  for (let rest = number; text.length < digits; rest = Math.trunc(rest / ALPHABET.length))
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
  return text;
}

const CODES: bigint[] = [];

/** @returns how many codes of a length there are */
function codesOf(length: number): bigint {
  CODES[length] ??= LETTERS * BASE ** BigInt(length - 1);
  return CODES[length];
}

/** Maps 0 … modulus - 1 one to one onto itself. */
export function permute(sequence: string, modulus: bigint, n: number): bigint {
  const { multiplier, shift } = permutationOf(sequence, modulus);
  return (multiplier * BigInt(n) + shift) % modulus;
}

interface Permutation {
  modulus: bigint;
  multiplier: bigint;
  shift: bigint;
}

/** Finding one costs more than everything else here, and a billing run hands out many ids. */
const PERMUTATIONS = new Map<string, Permutation>();
const MAX_PERMUTATIONS = 1_000;

function permutationOf(sequence: string, modulus: bigint): Permutation {
  const known = PERMUTATIONS.get(sequence);
  if (known?.modulus === modulus) return known;
  let multiplier = hashed(`${sequence}/multiplier`) % modulus;
  while (commonDivisor(multiplier, modulus) !== 1n) multiplier++;
  const found = { modulus, multiplier, shift: hashed(`${sequence}/shift`) % modulus };
  if (PERMUTATIONS.size >= MAX_PERMUTATIONS) PERMUTATIONS.clear();
  PERMUTATIONS.set(sequence, found);
  return found;
}

function hashed(text: string): bigint {
  return BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
}

function commonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : commonDivisor(b, a % b);
}
