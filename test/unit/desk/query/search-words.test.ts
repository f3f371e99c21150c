/** What may be searched for. */
import { expect, test } from 'vitest';
import { findText } from '../../../../src/desk/query/search-words.ts';
import { failureOf } from '../../../helpers/failure.ts';

test.each<[words: string[], text: string | undefined]>([
  [[], undefined],
  [['  '], undefined],
  [['ada', '25.00'], 'ada 25.00'],
  [['2346'], '2346'],
  [['5123', '2346'], '5123 2346'],
  [['071-P-4111111111111112'], '071-P-4111111111111112'],
])('%j is searched for as %j', (words, text) => {
  expect(findText(words)).toBe(text);
});

test.each([
  [['4111111111111111']],
  [['4111 1111 1111 1111']],
  [['4111', '1111', '1111', '1111']],
  [['4111-1111', '1111-1111']],
  [['4111', 'ada', '1111', '1111', '1111']],
  [['card:4111111111111111']],
])('%j is a card number, and is not repeated', async (words) => {
  const failure = await failureOf(() => findText(words));
  expect(failure).toMatchObject({ kind: 'usage', code: 'card-number-not-searched' });
  expect(`${failure.message} ${failure.next}`).not.toMatch(/\d/);
});

test('a text that is longer than any that is said is refused', async () => {
  const failure = await failureOf(() => findText(['ab '.repeat(400)]));
  expect(failure.code).toBe('text-too-long');
});
