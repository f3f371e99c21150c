import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { layMessages } from '../../../../src/view/text/messages.ts';

const narrow = { isTerminal: true, columns: 30, color: false };
const colored = { isTerminal: true, columns: 80, color: true };

describe('messages on a terminal', () => {
  test('lines are broken between words, and never within a command', () => {
    const text =
      'Error: "visa" is not a test card.\nUse one of: approved, declined. `gw emulator cards -o json` says what each does.\n';
    expect(layMessages(text, narrow)).toBe(
      [
        'Error: "visa" is not a test',
        'card.',
        'Use one of: approved,',
        'declined.',
        '`gw emulator cards -o json`',
        'says what each does.',
        '',
      ].join('\n'),
    );
  });

  test('continued lines keep their indentation', () => {
    expect(layMessages("  Reference can't be blank, says the gateway\n", narrow)).toBe(
      "  Reference can't be blank,\n  says the gateway\n",
    );
  });

  test('labels, commands and LIVE are coloured', () => {
    expect(layMessages('Error: No.\nRun `gw login`.\n', colored)).toBe(
      '\u001b[31mError:\u001b[39m No.\nRun \u001b[36m`gw login`\u001b[39m.\n',
    );
    expect(layMessages('Warning: LIVE money.\nNote: Fine.\n', colored)).toBe(
      '\u001b[35mWarning:\u001b[39m \u001b[1;31mLIVE\u001b[22;39m money.\n\u001b[1mNote:\u001b[22m Fine.\n',
    );
    expect(layMessages('Purchase: LIVELY\n', colored)).toBe('Purchase: LIVELY\n');
  });

  test.each([
    ['a table', 'ID          OUTCOME      AMOUNT          CARD\n'],
    ['JSON', '{"error": {"kind": "usage", "code": "a", "message": "`x`"}}\n'],
    ['a trace', '> POST https://gateway.example.com/v1.0/purchases `x`\n'],
    ['a stack', '    at Object.<anonymous> (/usr/lib/node_modules/gw/dist/main.cjs:1:1)\n'],
    [
      'a line that is drawn again',
      '\r`3` of 5 are done, which is more than half of all of them\u001b[K',
    ],
  ])('%s stays unchanged', (_, text) => {
    expect(layMessages(text, { ...colored, columns: 30 })).toBe(text);
  });

  test('a pipe gets no line breaks and no colours', () => {
    const text = `Error: ${'word '.repeat(40)}\`gw login\`\n`;
    expect(layMessages(text, { isTerminal: false, columns: 80, color: false })).toBe(text);
  });

  test('no word is lost, added or broken', () => {
    const words = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(words, fc.integer({ min: 10, max: 120 }), (texts, columns) => {
        const text = texts.join(' ').trim();
        const laid = stripVTControlCharacters(layMessages(`${text}\n`, { ...colored, columns }));
        const wordsOf = (one: string) => one.split(/\s+/).filter((word) => word !== '');
        expect(wordsOf(laid)).toEqual(wordsOf(text));
      }),
      { examples: [[['`!', 'longer-than-ten'], 10]] },
    );
  });
});
