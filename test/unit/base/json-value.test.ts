import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { readJson } from '../../../src/base/json-text.ts';
import {
  isWrittenNumber,
  repeatsField,
  withNumbers,
  withoutForeignMarks,
} from '../../../src/base/json-value.ts';

describe('repeatsField', () => {
  const names = fc.constantFrom('id', 'a"b', ': "', '\\', '__proto__', '');
  const text: fc.Arbitrary<string> = fc.letrec<{ value: string; object: string }>((tie) => ({
    object: fc
      .array(fc.tuple(names, fc.constantFrom(':', ' : ', '\n:'), tie('value')), { maxLength: 3 })
      .map(
        (fields) =>
          `{${fields.map(([name, colon, value]) => JSON.stringify(name) + colon + value).join(',')}}`,
      ),
    value: fc.oneof(
      { depthSize: 'small' },
      fc.json({ maxDepth: 0 }),
      fc.constantFrom('"\\":"', '": "', '"\\\\"'),
      tie('object'),
      tie('object').map((one) => `[${one},1]`),
    ),
  })).object;

  test('is true only if a field occurs twice in the text', () => {
    fc.assert(
      fc.property(text, (json) => {
        expect(repeatsField(json)).toBe(readJson(json).fault !== undefined);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ['{"id":"R-1","errors":[],"response":{"id" : 1}}', false],
    ['{"id":1,"id":2}', true],
    ['{"a":{"id":1,"\\u0069d":1}}', true],
    ['[[{"a":{},"a":[]}]]', true],
    ['{"message":"\\":"}', false],
    ['{"id":1,"id":', false],
    [`${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)}`, false],
    [`${'['.repeat(100_000)}{"a":1,"a":2}${']'.repeat(100_000)}`, true],
  ])('is for %.50s %s', (json, expected) => {
    expect(repeatsField(json)).toBe(expected);
  });
});

describe('a mark that gw did not make', () => {
  test.each([
    ['{"a":"\ufdd01"}', '{"a":"\ufffd1"}'],
    ['{"a":"\\ufdd01"}', '{"a":"\ufffd1"}'],
    ['{"\\uFdD0":"\\\\\\uFDD0"}', '{"\ufffd":"\\\\\ufffd"}'],
    ['{"a":"\\\\ufdd0 \\"\\ufdd1"}', '{"a":"\\\\ufdd0 \\"\\ufdd1"}'],
  ])('is replaced in %j', (json, expected) => {
    expect(withoutForeignMarks(json)).toBe(expected);
  });
});

test.each(['1001', '-0.50', '1e400', '12345678901234567890', '0'])('%s is written', (digits) => {
  expect(isWrittenNumber(`\ufdd0${digits}`)).toBe(true);
  expect(withNumbers(JSON.stringify([`\ufdd0${digits}`]))).toBe(`[${digits}]`);
});

test.each(['-', '', '007', '1.', '.5', '+1', '1e', '1-2', 'e5', '630412XXXXXXXXX2347'])(
  '%j is no number, and stays a text without its mark',
  (text) => {
    const marked = `\ufdd0${text}`;
    expect(isWrittenNumber(marked)).toBe(false);
    expect(withNumbers(JSON.stringify([marked]))).toBe(JSON.stringify([text]));
    expect(JSON.parse(withNumbers(JSON.stringify({ [marked]: 1 })))).toEqual({ [text]: 1 });
  },
);

test('the name of a field stays a text', () => {
  expect(withNumbers('{"\ufdd05":"\ufdd06"}')).toBe('{"5":6}');
});
