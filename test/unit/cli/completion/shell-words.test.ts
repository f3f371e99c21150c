/** Whatever is in a value, bash reads it as that value and nothing else, in any quotes. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isTypeable,
  type Quote,
  quoteForBash,
  quoteForPowerShell,
  splitLine,
} from '../../../../src/cli/completion/shell-words.ts';
import { havePrograms } from '../../../helpers/skip.ts';

const BREAKS = ' \t\n"\'><=;|&(:';
const VALUES = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.string({ unit: fc.constantFrom(...'a $`"\'\\!;&|()<>*?~#{}[]=:-'), maxLength: 20 }),
  )
  .filter(isTypeable);

test('a value that was completed is read back as it was, in any quotes', () => {
  fc.assert(
    fc.property(VALUES, fc.constantFrom<Quote>('', "'", '"'), (value, quote) => {
      const text = quoteForBash(value, quote);
      if (text === undefined) return;
      const line = `gw get ${quote}${text}${quote}`;
      expect(splitLine(line, BREAKS)).toMatchObject({ words: ['gw', 'get'], current: value });
    }),
  );
});

test.skipIf(!havePrograms('bash'))('bash itself reads what was completed as one word', () => {
  const cases = fc.sample(VALUES, { numRuns: 300, seed: 7 }).flatMap((value) =>
    (['', "'", '"'] as const).flatMap((quote) => {
      const text = quoteForBash(value, quote);
      return text === undefined ? [] : [{ value, word: `${quote}${text}${quote}` }];
    }),
  );
  const script = cases.map(({ word }) => `printf '%s\\0' ${word}`).join('\n');
  const read = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
  expect(read).toEqual(cases.map(({ value }) => value));
});

test.each([
  ['a b', undefined, "'a b'"],
  ["it's", undefined, "'it''s'"],
  ['$(x)', undefined, "'$(x)'"],
  ['INV-1', undefined, 'INV-1'],
  ['it\u2019s', undefined, "'it\u2019\u2019s'"],
])('PowerShell is given %s as one word', (value, _, word) => {
  expect(quoteForPowerShell(value)).toBe(word);
});

test.each(['', 'a\nb', '\u001b[31m', 'a\u202eb', 'x'.repeat(201), 'a\tb', '\u0000'])(
  'what cannot be typed (%j) is not offered',
  (value) => {
    expect(isTypeable(value)).toBe(false);
  },
);

test.each([
  ['gw purchase ge', ['gw', 'purchase'], 'ge', 0, ''],
  ['gw plan list --output=js', ['gw', 'plan', 'list'], '--output=js', 9, ''],
  ['gw trigger charge:fa', ['gw', 'trigger'], 'charge:fa', 7, ''],
  ['gw trigger "charge:fa', ['gw', 'trigger'], 'charge:fa', 0, '"'],
  ["gw get 'INV 1", ['gw', 'get'], 'INV 1', 0, "'"],
  ['gw get INV\\ 1', ['gw', 'get'], 'INV 1', 0, ''],
  ['echo x | gw wh', ['gw'], 'wh', 0, ''],
  ['A=1 gw get ""', ['A=1', 'gw', 'get'], '', 0, ''],
  ['gw get "$(touch x', ['gw', 'get'], '$(touch x', 0, '"'],
  ['', [], '', 0, ''],
])('%s is split as bash splits it', (line, words, current, kept, quote) => {
  expect(splitLine(line, BREAKS)).toEqual({ words, current, kept, quote });
});
