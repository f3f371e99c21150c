import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cut,
  escapeHidden,
  neutralise,
  neutraliseLines,
  toJson,
} from '../../../../src/host/redaction/safe.ts';
import { anyText, DANGEROUS } from '../../../helpers/arbitraries.ts';

describe('neutralise', () => {
  test.each([
    ['a\nb\tc\rd', 'a\\nb\\tc\\rd'],
    ['\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m'],
    ['\u009b31m\u007f\u0085', '\\u009b31m\\u007f\\u0085'],
    ['abc\u202egnp.exe', 'abc\\u202egnp.exe'],
    ['\ud83d', '\\ud83d'],
    ['line\u2028separator', 'line\\u2028separator'],
    ['WEB\u200b-\u{e0041}1', 'WEB\\u200b-\\udb40\\udc411'],
  ])('neutralise makes %j %j', (text, shown) => {
    expect(neutralise(text)).toBe(shown);
  });

  test.each(['日本語 👩‍👩‍👧 é ñ עברית العربية', 'می‌خواهم', 'C:\\new\\table', '"quoted", <b>', ''])(
    'neutralise does not change %j',
    (text) => {
      expect(neutralise(text)).toBe(text);
    },
  );

  test('neutralise leaves nothing dangerous in any text', () => {
    fc.assert(fc.property(anyText, (text) => !DANGEROUS.test(neutralise(text))));
  });

  test('neutralise keeps line ends on request', () => {
    expect(neutraliseLines('a\n\tb\r\n')).toBe('a\n\\tb\\r\n');
  });
});

describe('toJson', () => {
  test('toJson escapes control characters', () => {
    expect(toJson({ a: '\u009b\u007f\u202e\u2028\ud800\n' })).toBe(
      '{"a":"\\u009b\\u007f\\u202e\\u2028\\ud800\\n"}',
    );
  });

  test('toJson keeps the value of any text and prints no dangerous characters', () => {
    fc.assert(
      fc.property(anyText, anyText, (key, text) => {
        const value = { [`k${key}`]: [text] };
        const json = toJson(value);
        expect(JSON.parse(json)).toEqual(value);
        expect(json).not.toMatch(DANGEROUS);
        expect(JSON.parse(toJson(value, 2))).toEqual(value);
        expect(toJson(value, 2).replaceAll('\n', '')).not.toMatch(DANGEROUS);
      }),
    );
  });

  test('escapes JSON of others without changing its value or layout', () => {
    const text = '{\n  "a": "\u202e\u007f"\n}';
    expect(escapeHidden(text)).toBe('{\n  "a": "\\u202e\\u007f"\n}');
  });
});

describe('cut', () => {
  test('cut does not change a text that fits', () => {
    expect(cut('abcde', 5)).toBe('abcde');
  });

  test('cut ends a longer text with an ellipsis within the limit', () => {
    expect(cut('abcdef', 5)).toBe('abcd…');
  });

  test('cut does not halve a surrogate pair', () => {
    expect(cut('abc🎉def', 5)).toBe('abc…');
  });
});
