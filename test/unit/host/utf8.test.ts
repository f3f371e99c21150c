/** Text of files as spreadsheets save them. */
import { expect, test } from 'vitest';
import { textOfBytes } from '../../../src/host/utf8.ts';

const TEXT = 'Date\tBetrag €\r\n';
const wide = Buffer.from(`\ufeff${TEXT}`, 'utf16le');

test('a byte order mark says which form of Unicode a file has', () => {
  expect(textOfBytes(Buffer.from(`\ufeff${TEXT}`), 'a.csv')).toBe(TEXT);
  expect(textOfBytes(wide, 'a.csv')).toBe(TEXT);
  expect(textOfBytes(Buffer.from(wide).swap16(), 'a.csv')).toBe(TEXT);
});

test('a file that was cut in a character, and one without a mark, are refused with what converts them', () => {
  const refused = (bytes: Buffer) => () => textOfBytes(bytes, 'a.csv', 'windows-1252');
  expect(refused(wide.subarray(0, 9))).toThrow(
    expect.objectContaining({ next: expect.stringContaining('iconv -f UTF-16 -t UTF-8') }),
  );
  const unmarked = Buffer.concat([Buffer.from([0xfc, 0]), wide.subarray(2)]);
  expect(refused(unmarked)).toThrow(expect.objectContaining({ code: 'file-not-utf8' }));
});
