import { expect, test } from 'vitest';
import { nearest } from '../../../src/base/nearest.ts';

test.each([
  ['purchse', ['plan', 'purchases', 'purchase'], 'purchase'],
  ['PLAN', ['plan'], 'plan'],
  ['nothing', ['plan', 'purchase'], undefined],
  ['shop-a', ['shop-au', 'shop-nz', 'shop-b'], undefined],
  ['amont', ['amount', 'amount'], 'amount'],
  ['limti', ['limit', 'live'], 'limit'],
  ['ip', ['id'], undefined],
])('the word nearest to %s in %j is %s', (word, known, meant) => {
  expect(nearest(word, known)).toBe(meant);
});
