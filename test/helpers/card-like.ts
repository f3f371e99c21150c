/** Numbers that look like a card's and are nobody's: the tests' scan for card numbers knows none of them. */
import fc from 'fast-check';
import { passesLuhn } from '../../src/contract/cards/card-number.ts';

/** @returns sixteen digits with an issuer and the right check digit */
export function cardLike(seed: number): string {
  const start = `4${String(seed % 1e14).padStart(14, '0')}`;
  return [...'0123456789'].map((digit) => start + digit).find(passesLuhn) ?? '';
}

export const randomCardLike = fc.integer({ min: 1, max: 1e14 - 1 }).map(cardLike);
