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
const ID_LENGTH = 8;
const TOKEN_LENGTH = 12;
const AUTHORIZATION_DIGITS = 6;

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
  const modulus = 10n ** BigInt(AUTHORIZATION_DIGITS);
  return String(permute(`${seed}/authorization`, modulus, n)).padStart(AUTHORIZATION_DIGITS, '0');
}

/** @returns the nth code of a sequence: a letter, then letters and digits */
export function code(sequence: string, length: number, n: number): string {
  let rest = permute(sequence, LETTERS * BASE ** BigInt(length - 1), n);
  let text = '';
  for (let i = 1; i < length; i++) {
    text = ALPHABET.charAt(Number(rest % BASE)) + text;
    rest /= BASE;
  }
  return ALPHABET.charAt(Number(rest)) + text;
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
