import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kindOfId } from '../../../../src/contract/record-id.ts';
import {
  authorizationNumber,
  cardToken,
  code,
  permute,
  recordId,
} from '../../../../src/emulator/resources/id-sequence.ts';

test('the permutation is one to one, for any sequence and modulus', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 3000 }), (sequence, modulus) => {
      const images = new Set<bigint>();
      for (let n = 0; n < modulus; n++) images.add(permute(sequence, BigInt(modulus), n));
      expect(images.size).toBe(modulus);
      for (const image of images) expect(image >= 0n && image < BigInt(modulus)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('codes of all lengths differ for different numbers, however far apart', () => {
  const numbers = fc.uniqueArray(fc.nat({ max: 1e11 }), { minLength: 2, maxLength: 50 });
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 8, max: 16 }), numbers, (sequence, length, ns) => {
      const codes = ns.map((n) => code(sequence, length, n));
      expect(new Set(codes).size).toBe(ns.length);
      for (const text of codes) expect(text).toMatch(/^[A-Z][A-Z0-9]+$/);
      for (const text of codes) expect(text).toHaveLength(length);
    }),
  );
});

test('the shortest codes use every letter and digit', () => {
  const codes = Array.from({ length: 26 * 36 }, (_, n) => code('s', 2, n));
  expect(new Set(codes).size).toBe(26 * 36);
});

test('ids have the shape of their kind, and follow from the seed', () => {
  expect(recordId('gw', 'purchase', '071', 1)).toMatch(/^071-P-[A-Z][A-Z0-9]{7}$/);
  expect(recordId('gw', 'plan', '072', 1)).toMatch(/^072-PL-[A-Z][A-Z0-9]{7}$/);
  for (const kind of ['purchase', 'refund', 'plan', 'customer', 'subscription'] as const) {
    expect(kindOfId(recordId('gw', kind, '071', 5))).toBe(kind);
    expect(recordId('gw', kind, '071', 5)).toBe(recordId('gw', kind, '071', 5));
    expect(recordId('gw', kind, '071', 5)).not.toBe(recordId('other', kind, '071', 5));
  }
  expect(cardToken('gw', 1)).toMatch(/^[a-z][a-z0-9]{11}$/);
  expect(authorizationNumber('gw', 1)).toMatch(/^\d{6}$/);
});
