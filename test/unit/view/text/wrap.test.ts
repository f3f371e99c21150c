import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wrap } from '../../../../src/view/text/wrap.ts';

const length = (text: string) => text.length;

test('sentences are broken between words', () => {
  expect(wrap('Run the command once more.', 11, length)).toEqual([
    'Run the',
    'command',
    'once more.',
  ]);
});

test('a word that is longer than a line is never cut', () => {
  expect(wrap('see /home/ada/.local/state now', 8, length)).toEqual([
    'see',
    '/home/ada/.local/state',
    'now',
  ]);
});

test('a command between backticks stays on one line', () => {
  expect(wrap('Run `gw profile show live` now.', 12, length)).toEqual([
    'Run',
    '`gw profile show live`',
    'now.',
  ]);
  expect(wrap('a ` b', 3, length)).toEqual(['a `', 'b']);
});

test('no text is lost, and no line of several words is too long', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z]{1,12}$/)),
      fc.integer({ min: 1, max: 30 }),
      (words, cells) => {
        const lines = wrap(words.join(' '), cells, length);
        expect(lines.join(' ')).toBe(words.join(' '));
        expect(lines.filter((line) => line.length > cells && line.includes(' '))).toEqual([]);
      },
    ),
  );
});

test('words may be separated by more than a space', () => {
  expect(wrap('a\n  b c', 3, length)).toEqual(['a b', 'c']);
});
