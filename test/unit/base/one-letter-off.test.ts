import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneLetterOff } from '../../../src/base/one-letter-off.ts';

test.each([
  ['muler', 'muller'],
  ['mulller', 'muller'],
  ['mullre', 'muller'],
  ['miller', 'muller'],
  ['smyth', 'smith'],
  ['jasmin.lee@exmaple.com', 'jasmin.lee@example.com'],
  ['inv10001', 'inv-10001'],
  ['adabyron', 'ada byron'],
  ['ковалчук', 'ковальчук'],
  ['κωστασ', 'κωστας'],
])('%s is one letter off %s', (typed, meant) => {
  expect(oneLetterOff(typed)).toContain(meant);
});

test.each([
  ['ada', 'ada'],
  ['a', ''],
  ['ada', 'eva'],
  ['muler', 'mullers'],
  ['abcd', 'badc'],
  ['王伟', '李伟'],
])('%s is not one letter off %j', (typed, other) => {
  expect(oneLetterOff(typed)).not.toContain(other);
});

test('a long text is left alone', () => {
  expect(oneLetterOff('a'.repeat(65))).toEqual([]);
  expect(oneLetterOff('a'.repeat(64))).not.toEqual([]);
});

test('what is one letter off is so both ways, for plain letters', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abc1-'), minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(word, (text) => {
      const others = oneLetterOff(text);
      expect(new Set(others).size).toBe(others.length);
      for (const other of others.filter((one) => one.length > 1).slice(0, 20))
        expect(oneLetterOff(other), other).toContain(text);
    }),
    { numRuns: 50 },
  );
});
