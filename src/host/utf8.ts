const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export function stripByteOrderMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
}

/** @returns the text of the bytes; undefined if they are not UTF-8 */
export function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** ZIP, as .xlsx and .ods are; OLE, as .xls is. */
const WORKBOOKS = [Buffer.from('PK\x03\x04'), Buffer.from('d0cf11e0', 'hex')];

/** @returns a sentence: how to make UTF-8 text of bytes that are none */
export function howToMakeUtf8(bytes: Buffer): string {
  return WORKBOOKS.some((head) => bytes.subarray(0, head.length).equals(head))
    ? 'It is a workbook. In the spreadsheet, save it as “CSV UTF-8”, and give that file.'
    : 'In a spreadsheet, save it as “CSV UTF-8”. Otherwise convert it, for example with `iconv -f WINDOWS-1252 -t UTF-8`.';
}
