import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeySet } from '../../../../../src/requests/batch/engine/key-set.ts';

const keyOf = (value: unknown) => createHash('sha256').update(String(value)).digest('hex');

test('tells first places and counts as a Map would, also when it grows', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3_000), { minLength: 0, maxLength: 9_000 }), (values) => {
      const keys = new KeySet();
      const known = new Map<number, { first: number; count: number }>();
      values.forEach((value, i) => {
        const told = known.get(value) ?? { first: i + 1, count: 0 };
        told.count++;
        known.set(value, told);
        expect(keys.add(keyOf(value), i + 1)).toEqual(told);
      });
    }),
    { numRuns: 20 },
  );
});
