import { expect, test } from 'vitest';
import { commandText } from '../../../src/base/shell.ts';

test.each<[string, string[], [string, unknown][], string | undefined]>([
  ['words alone', ['whoami'], [], 'gw whoami'],
  [
    'short forms',
    ['plan', 'list'],
    [
      ['profile', 'live'],
      ['output', 'csv'],
    ],
    'gw plan list -p live -o csv',
  ],
  [
    'numbers',
    ['refund', 'batch', 'a b.csv'],
    [['concurrency', 4]],
    "gw refund batch 'a b.csv' --concurrency 4",
  ],
  ['what was not given', ['whoami'], [['profile', undefined]], 'gw whoami'],
  [
    'yes and no',
    ['x'],
    [
      ['dry-run', true],
      ['read-only', false],
    ],
    'gw x --dry-run --no-read-only',
  ],
  [
    'a list',
    ['x'],
    [['map', ['amount=Betrag', 'reference=Beleg nr']]],
    "gw x --map amount=Betrag --map 'reference=Beleg nr'",
  ],
  [
    'a dash in front',
    ['x'],
    [
      ['reference', '-1'],
      ['output', '-j'],
    ],
    'gw x --reference=-1 --output=-j',
  ],
  ['an argument with a dash', ['x', '-1'], [['input', 'a']], 'gw x --input a -- -1'],
  ['stdin', ['x', '-'], [['input', '-']], 'gw x - --input -'],
  [
    'what a shell would run',
    ['x'],
    [['reference', "$(id) 'a'"]],
    `gw x --reference '$(id) '\\''a'\\'''`,
  ],
  ['control characters', ['x'], [['reference', 'a\nb']], undefined],
  ['a character that turns the order', ['x'], [['reference', 'a\u202eb']], undefined],
  ['a character without a width', ['x'], [['reference', 'a\u200bb']], undefined],
  ['what is read', ['x'], [['reference', 'שלום👩‍👧']], "gw x --reference 'שלום👩‍👧'"],
  ['an empty value', ['x'], [['reference', '']], "gw x --reference ''"],
])('a command is written so that it can be typed: %s', (_, words, flags, line) => {
  expect(commandText(words, flags)).toBe(line);
});
