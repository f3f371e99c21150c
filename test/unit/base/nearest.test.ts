import { expect, test } from 'vitest';
import { nearest } from '../../../src/base/nearest.ts';

test('the words that are nearly another, best first', () => {
  expect(nearest('purchse', ['plan', 'purchases', 'purchase'])).toEqual(['purchase', 'purchases']);
  expect(nearest('PLAN', ['plan'])).toEqual(['plan']);
  expect(nearest('nothing', ['plan', 'purchase'])).toEqual([]);
});

test('what counts of a word, and how much may be wrong, is for the caller to say', () => {
  const form = (text: string) => text.replaceAll('_', '');
  expect(nearest('cardtoken', ['card_token'], { form, most: 0 })).toEqual(['card_token']);
  expect(nearest('cardtokn', ['card_token'], { form, most: 0 })).toEqual([]);
});
