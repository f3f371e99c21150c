import { expect, test } from 'vitest';
import { count, counted } from '../../../src/base/text.ts';

test('a count has a comma before each three digits', () => {
  const counts = [7, 999, 1_000, 12_345, -1_234_567, 12_345_678_901_234n].map(count);
  expect(counts).toEqual(['7', '999', '1,000', '12,345', '-1,234,567', '12,345,678,901,234']);
});

test('a counted thing has its number and the word that fits', () => {
  const said = [0, 1, 1_000, 1n].map((n) => counted(n, 'entry', 'entries'));
  expect(said).toEqual(['0 entries', '1 entry', '1,000 entries', '1 entry']);
});
