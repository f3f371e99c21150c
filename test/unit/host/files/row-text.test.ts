import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RowText } from '../../../../src/host/files/row-text.ts';
import { failureOf } from '../../../helpers/failure.ts';

/** @param size of the chunks, in bytes */
function read(bytes: Buffer | string, size = 1 << 20): string {
  const text = new RowText('rows');
  const all = Buffer.from(bytes as string);
  const made: Buffer[] = [];
  for (let at = 0; at < all.length; at += size)
    made.push(Buffer.from(text.push(all.subarray(at, at + size))));
  return Buffer.concat([...made, text.end()]).toString();
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

describe('a text of rows', () => {
  test.each<[string, Buffer | string, string]>([
    ['UTF-8 stays', 'a,é\n1,2\n', 'a,é\n1,2\n'],
    ['UTF-16, little end first', utf16('a\té\r\n1\t2'), 'a\té\n1\t2'],
    ['UTF-16, big end first', utf16('a;é').swap16(), 'a;é'],
    ['line ends of all kinds', 'a\rb\r\nc\nd\r', 'a\nb\nc\nd\n'],
    ['a line end between quotes stays', '"a\rb","c""\rd"\re\r', '"a\rb","c""\rd"\ne\n'],
    ['a text of two bytes', 'ab', 'ab'],
    ['no text', '', ''],
    ['JSON lines stay', '{"a":1}\n\n{"a":', '{"a":1}\n\n{"a":'],
    ['an array on one line', '[{"a":1},{"a":"],["}]', '{"a":1}\n{"a":"],["}'],
    ['an empty array', ' [ ] \n', ''],
    [
      'an array over lines, each object on the line of its beginning',
      '[\n  {\n    "a": "\\"}"\n  },\n  {\n    "a": [2]\n  }\n]\n',
      '\n{     "a": "\\"}"   }\n\n\n{     "a": [2]   }',
    ],
    ['objects over lines', '\ufeff{\n "a": 1\n}\n{\n "a": 2\n}\n', '{  "a": 1 }\n\n\n{  "a": 2 }'],
  ])('%s becomes lines of UTF-8', (_, bytes, text) => {
    expect(read(bytes)).toBe(text);
    expect(read(bytes, 1)).toBe(text);
  });

  test.each<[string, Buffer | string, string]>([
    ['an array that is cut off', '[{"a":1},', 'json-invalid'],
    ['an object that is cut off', '{\n"a":1', 'json-invalid'],
    ['a comma that is missing', '[{"a":1}\n{"a":2}]', 'json-invalid'],
    ['a comma too many', '[{"a":1},]', 'json-invalid'],
    ['something behind the end', '[{"a":1}]\n{"a":2}', 'json-invalid'],
    ['what is no object', '[1]', 'json-invalid'],
    ['a workbook', Buffer.from([0x50, 0x4b, 3, 4, 0]), 'file-is-workbook'],
    ['half a character', utf16('ab').subarray(0, 5), 'text-not-utf16'],
  ])('%s is refused', async (_, bytes, code) => {
    expect(await failureOf(async () => read(bytes))).toMatchObject({ kind: 'usage', code });
  });

  test('any objects are the same, however they are written and cut', () => {
    const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 5 });
    fc.assert(
      fc.property(
        objects,
        fc.constantFrom(undefined, 2),
        fc.integer({ min: 1, max: 9 }),
        (all, indent, size) => {
          const lines = read(JSON.stringify(all, null, indent), size).split('\n');
          expect(lines.filter((line) => line !== '').map((line) => JSON.parse(line))).toEqual(
            JSON.parse(JSON.stringify(all)),
          );
        },
      ),
    );
  });
});
