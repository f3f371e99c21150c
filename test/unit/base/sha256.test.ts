import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from '../../../src/base/sha256.ts';

test('is what node:crypto makes of any text, of any length', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.nat({ max: 200 }).map((length) => 'x'.repeat(length)),
  );
  fc.assert(
    fc.property(text, (some) => {
      expect(sha256(some)).toBe(createHash('sha256').update(some).digest('hex'));
    }),
    { numRuns: 300, examples: [[''], ['x'.repeat(55)], ['x'.repeat(56)], ['x'.repeat(64)]] },
  );
});
