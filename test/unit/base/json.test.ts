/** Walks over JSON values: every field and text is met once, at any depth. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  eachField,
  isWrittenNumber,
  type Json,
  repeatsField,
  withNumbers,
  withoutForeignMarks,
  withTexts,
} from '../../../src/base/json.ts';
import { readJson } from '../../../src/base/json-text.ts';

const VALUE = JSON.parse(
  '{"a":"x","list":[{"b":"y"},["z",{"c":null}]],"__proto__":{"d":"w"},"n":1}',
);

/** Far deeper than the stack allows. */
function nested(innermost: Json): Json {
  let value = innermost;
  for (let i = 0; i < 100_000; i++) value = i % 2 === 0 ? [value] : { inner: value };
  return value;
}

test('the fields of all objects are visited, outer ones first', () => {
  const names: string[] = [];
  eachField(VALUE, (name, value, object) => {
    expect(Object.hasOwn(object, name) && object[name]).toBe(value);
    names.push(name);
  });
  expect(names).toEqual(['a', 'list', '__proto__', 'n', 'd', 'b', 'c']);
});

test('a text is changed wherever it stands, and the value itself stays', () => {
  const before = JSON.stringify(VALUE);
  const changed = withTexts(VALUE, (text) => `${text}!`);
  expect(JSON.stringify(changed)).toBe(before.replaceAll(/"([w-z])"/g, '"$1!"'));
  expect(JSON.stringify(VALUE)).toBe(before);
  expect(withTexts('x', () => null)).toBeNull();
  expect(withTexts(VALUE, (text) => text)).toBe(VALUE);
});

test('the fields of each copy can be chosen', () => {
  const some = withTexts(
    VALUE,
    (text) => text,
    ({ a: _, ...rest }) => rest,
  );
  expect(some).toEqual(JSON.parse(JSON.stringify(VALUE).replace('"a":"x",', '')));
});

test('no depth exhausts the stack', () => {
  const deep = nested({ last: 'x' });
  let last: Json = null;
  eachField(deep, (name, value) => {
    if (name === 'last') last = value;
  });
  expect(last).toBe('x');
  eachField(
    withTexts(deep, () => 'y'),
    (name, value) => {
      if (name === 'last') last = value;
    },
  );
  expect(last).toBe('y');
});

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
