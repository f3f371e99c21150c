import { expect, test } from 'vitest';
import { alikeTexts } from '../../../src/base/alike.ts';

test('0 and o, 1, i and l look alike, and the fewest others come first', () => {
  expect(alikeTexts('m0sl', 12)).toEqual(['mosl', 'm0s1', 'm0si', 'mos1', 'mosi']);
  expect(alikeTexts('mask', 12)).toEqual([]);
});

test('no more are made than are wanted', () => {
  expect(alikeTexts('0o1il0o1il', 5)).toHaveLength(5);
});
