/** Search texts that gw accepts. */
import { expect, test } from 'vitest';
import { findText } from '../../../../src/desk/query/search.ts';
import { cardLike } from '../../../helpers/card-like.ts';
import { failureOf } from '../../../helpers/failure.ts';

test.each<[words: string[], text: string | undefined]>([
  [[], undefined],
  [['  '], undefined],
  [['ada', '25.00'], 'ada 25.00'],
  [['2346'], '2346'],
  [['5123', '2346'], '5123 2346'],
  [['071-P-4111111111111112'], '071-P-4111111111111112'],
  [[cardLike(5)], cardLike(5)],
])('%j is searched for as %j', (words, text) => {
  expect(findText(words)).toBe(text);
});

test('a text that is longer than any that is said is refused', async () => {
  const failure = await failureOf(() => findText(['ab '.repeat(400)]));
  expect(failure.code).toBe('text-too-long');
});
