import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson, readJson } from '../../../src/base/json-text.ts';
import { Failure } from '../../../src/failure.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

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
  test('parses the same text as JSON.parse, and a byte order mark', () => {
    expect(parseJson('\uFEFF{"a":[1,"\\u00e9",null]}', 'x')).toEqual({ a: [1, 'é', null] });
  });

  test.each([
    ['', 'it is empty at line 1, column 1'],
    [' \n ', 'it is empty at line 2, column 2'],
    ['{"a":1,\n "b":}', 'a value is missing at line 2, column 6'],
    ['{"a":1,}', 'a field name in double quotes is missing at line 1, column 8'],
    ['{a:1}', 'a name or value is missing, or not in double quotes at line 1, column 2'],
    ["['a']", 'a name or value is missing, or not in double quotes at line 1, column 2'],
    ['["😀",x]', 'a name or value is missing, or not in double quotes at line 1, column 6'],
    ['{"a" 1}', 'a colon is missing at line 1, column 6'],
    ['[1\r\n2]', 'a comma or the end of an object or list is missing at line 2, column 1'],
    ['[1,]', 'a value is missing at line 1, column 4'],
    ['[1', 'it ends too early at line 1, column 3'],
    ['{} {}', 'there is extra text after its end at line 1, column 4'],
    ['{} // {}', 'it has a comment at line 1, column 4'],
    ['["a\nb"]', 'a text does not end on its line at line 1, column 2'],
    ['"a\tb"', 'a text has a control character at line 1, column 1'],
    ['"a\\x"', 'a text has a backslash before what it cannot escape at line 1, column 1'],
    ['"\\u12"', 'a text has a backslash before what it cannot escape at line 1, column 1'],
    ['1.', 'a number is not written as JSON requires at line 1, column 1'],
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
  ])('refuses %s, which has a field twice', (text, field, where) => {
    expect(messageOf(text)).toBe(`card.json has ${field} twice, the second time at ${where}.`);
  });

  test.each(['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', '{"a":1,"A":2,"a ":3}'])(
    'accepts %s, which has no field twice',
    (text) => expect(parseJson(text, 'x')).toEqual(JSON.parse(text)),
  );

  test('repeats nothing of the text in the failure', () => {
    const text = '{"card_number": "5123456789012346" "cvv": "987"}';
    try {
      parseJson(text, 'card.json');
      expect.unreachable();
    } catch (error) {
      const failure = error as Failure;
      expect([failure.message, failure.next, String(failure.cause)].join()).not.toMatch(/5123|987/);
    }
  });

  test('refuses a text that is nested too deeply, at any depth', () => {
    const fault = { offset: 100, code: 'input-too-deep' };
    expect(readJson('['.repeat(1_000_000)).fault).toMatchObject(fault);
    expect(readJson('['.repeat(101) + ']'.repeat(101)).fault).toMatchObject(fault);
    expect(readJson('['.repeat(100) + ']'.repeat(100)).fault).toBeUndefined();
  });

  test('finds a fault if JSON.parse does', () => {
    const valid = fc.json();
    const damaged = fc
      .tuple(valid, fc.nat(), fc.constantFrom('', ',', '"', '}', ']', '\\', '0', 'e', '\n', '/*'))
      .map(([text, at, put]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + put + text.slice(place + 1);
      });
    fc.assert(
      fc.property(fc.oneof(valid, damaged, fc.string()), (text) => {
        const { fault } = readJson(text);
        // Which JSON.parse takes.
        if (fault?.code !== 'json-field-repeated') expect(fault === undefined).toBe(isJson(text));
      }),
      { numRuns: 5_000 },
    );
  });

  test('reports every number as it is written, with its field and place', () => {
    const seen: [string | undefined, string][] = [];
    const text =
      '{"am\\u006funt": 25.00, "a": [1e5, {"b\\"": -0}, 7], "c": "1", "d": 9, "e": true}';
    readJson(text, (field, digits, offset) => {
      seen.push([field, digits]);
      expect(text.startsWith(digits, offset)).toBe(true);
    });
    expect(seen).toEqual([
      ['amount', '25.00'],
      [undefined, '1e5'],
      ['b"', '-0'],
      [undefined, '7'],
      ['d', '9'],
    ]);
  });
});
