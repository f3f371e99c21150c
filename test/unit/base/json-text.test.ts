import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findJsonFault, hasEachFieldOnce, parseJson } from '../../../src/base/json-text.ts';
import { Failure } from '../../../src/failure.ts';

function messageOf(text: string): string {
  try {
    parseJson(text, 'card.json');
  } catch (error) {
    if (error instanceof Failure && error.kind === 'usage') return error.message;
    throw error;
  }
  throw new Error('no failure');
}

describe('parseJson', () => {
  test('parses what JSON.parse parses, and passes over a byte order mark', () => {
    expect(parseJson('\uFEFF{"a":[1,"\\u00e9",null]}', 'x')).toEqual({ a: [1, 'é', null] });
  });

  test.each([
    ['', 'it is empty at line 1, column 1'],
    [' \n ', 'it ends too early at line 2, column 2'],
    ['{"a":1,\n "b":}', 'a value is missing at line 2, column 6'],
    ['{"a":1,}', 'a field name in double quotes is missing at line 1, column 8'],
    ['{a:1}', 'a field name in double quotes is missing at line 1, column 2'],
    ["{'a':1}", 'a field name in double quotes is missing at line 1, column 2'],
    ["['a']", 'text is not in double quotes at line 1, column 2'],
    ['{"a" 1}', 'a colon is missing at line 1, column 6'],
    ['{"a":1 "b":2}', 'a comma or } is missing at line 1, column 8'],
    ['[1\r\n2]', 'a comma or ] is missing at line 2, column 1'],
    ['[1,]', 'a value is missing at line 1, column 4'],
    ['[1', 'it ends too early at line 1, column 3'],
    ['{} {}', 'there is extra text after its end at line 1, column 4'],
    ['"a\nb"', 'a string contains a line break or control character at line 1, column 3'],
    ['"a', 'it ends in the middle of a string at line 1, column 3'],
    ['"a\\', 'it ends in the middle of a string at line 1, column 3'],
    ['"a\\x"', 'a backslash is followed by a character it cannot escape at line 1, column 3'],
    ['"\\u12"', 'a backslash is followed by a character it cannot escape at line 1, column 2'],
    ['012', 'a number is not written as JSON requires at line 1, column 2'],
    ['1.', 'a number is not written as JSON requires at line 1, column 2'],
    ['-', 'a number is not written as JSON requires at line 1, column 2'],
    ['{"a":.5}', 'a value is missing at line 1, column 6'],
    ['["😀",x]', 'a value is missing at line 1, column 6'],
    ['NaN', 'a value is missing at line 1, column 1'],
  ])('the fault of %j is %s', (text, where) => {
    expect(messageOf(text)).toBe(`card.json is not valid JSON: ${where}.`);
  });

  test.each([
    ['{"amount":1,"amount":2}', 'the field amount', 'line 1, column 13'],
    ['{"amount":1,\n "\\u0061mount":1}', 'the field amount', 'line 2, column 2'],
    ['[0,{"card":{"a":1,"b":{},"a":1}}]', 'the field a', 'line 1, column 26'],
    ['{"5123456789012346":1,"5123456789012346":1}', 'a field', 'line 1, column 23'],
    ['{"":1,"":1}', 'a field', 'line 1, column 7'],
    ['{"__proto__":1,"__proto__":1}', 'the field __proto__', 'line 1, column 16'],
  ])('refuses %s, which names a field twice', (text, field, where) => {
    expect(messageOf(text)).toBe(`card.json has ${field} twice, the second time at ${where}.`);
  });

  test.each(['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', '{"a":1,"A":2,"a ":3}'])(
    'takes %s, which names none twice',
    (text) => expect(parseJson(text, 'x')).toEqual(JSON.parse(text)),
  );

  test('says nothing of the text, in no part of the failure', () => {
    const text = '{"card_number": "5123456789012346" "cvv": "987"}';
    try {
      parseJson(text, 'card.json');
      expect.unreachable();
    } catch (error) {
      const failure = error as Failure;
      expect([failure.message, failure.next, String(failure.cause)].join()).not.toMatch(/5123|987/);
    }
  });

  test('is not limited in depth', () => {
    const depth = 1_000_000;
    expect(findJsonFault('['.repeat(depth))).toMatchObject({ offset: depth });
  });

  test('finds a fault when JSON.parse does, at the same token', () => {
    const valid = fc.json();
    const damaged = fc
      .tuple(valid, fc.nat(), fc.constantFrom('', ',', '"', '}', ']', '\\', '0', 'e', '\n', 'x'))
      .map(([text, at, put]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + put + text.slice(place + 1);
      });
    fc.assert(
      fc.property(fc.oneof(valid, damaged, fc.string()), (text) => {
        let refusal: SyntaxError | undefined;
        try {
          JSON.parse(text);
        } catch (error) {
          refusal = error as SyntaxError;
        }
        const fault = findJsonFault(text);
        // Which JSON.parse takes.
        if (fault?.code === 'json-field-repeated') return;
        expect(fault !== undefined).toBe(refusal !== undefined);
        // Not every message has a position; V8 points into a word, number or escape, gw at its start.
        const position = /at position (\d+)/.exec(refusal?.message ?? '')?.[1];
        if (!position || !fault) return;
        const [from, to] = [fault.offset, Number(position)].sort((a, b) => a - b);
        expect(text.slice(from, to)).toMatch(/^\\?[\w.+-]*$/);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('a walk through a text', () => {
  test('tells of every number as it is written, with the name of its field', () => {
    const seen: [string | undefined, string][] = [];
    const text =
      '{"am\\u006funt": 25.00, "a": [1e5, {"b\\"": -0}, 7], "c": "1", "d": 9, "e": true}';
    findJsonFault(text, { number: (field, digits) => seen.push([field, digits]) });
    expect(seen).toEqual([
      ['amount', '25.00'],
      [undefined, '1e5'],
      ['b"', '-0'],
      [undefined, '7'],
      ['d', '9'],
    ]);
  });

  test('tells how deep it goes', () => {
    const depths: number[] = [];
    findJsonFault('[{"a":[]},"[{",{}]', { opened: (depth) => depths.push(depth) });
    expect(depths).toEqual([1, 2, 3, 2]);
  });
});

describe('hasEachFieldOnce', () => {
  const names = fc.constantFrom('id', 'a"b', ': "', '__proto__', '');
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
      tie('object'),
      tie('object').map((one) => `[${one},1]`),
    ),
  })).object;

  test('is never true of a text in which the scanner finds a field twice', () => {
    fc.assert(
      fc.property(text, (json) => {
        if (hasEachFieldOnce(json)) expect(findJsonFault(json)).toBeUndefined();
      }),
    );
  });

  test.each([
    ['{"id":"R-1","errors":[],"response":{"id" : 1}}', true],
    ['{"id":1,"id":2}', false],
    ['{"a":{"id":1,"\\u0069d":1}}', false],
    ['{"message":"\\":"}', false],
    ['{"id":1', false],
  ])('of %s it is %s', (json, expected) => {
    expect(hasEachFieldOnce(json)).toBe(expected);
  });
});
