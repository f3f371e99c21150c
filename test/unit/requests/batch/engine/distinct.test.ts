import { expect, test } from 'vitest';
import { Distinct } from '../../../../../src/requests/batch/engine/distinct.ts';

test('tells as many texts apart as a map does, however many there are', () => {
  const texts = Array.from({ length: 20_000 }, (_, n) => `R-${(n * 7919) % 12_345}`);
  const distinct = new Distinct();
  const known = new Map<string, number>();
  const found: (number | undefined)[] = [];
  const expected: (number | undefined)[] = [];
  for (const text of texts) {
    expected.push(known.get(text), known.get(text) ?? known.size);
    known.set(text, known.get(text) ?? known.size);
    found.push(distinct.find(text), distinct.add(text, distinct.size));
  }
  expect(found).toEqual(expected);
  expect(distinct.size).toBe(known.size);
  expect(distinct.find('R-x')).toBeUndefined();
});
