import { usage } from '../failure.ts';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export function stripByteOrderMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
}

/** @returns the text of the bytes; undefined if they are not UTF-8 */
export function decodeUtf8(bytes: Buffer): string | undefined {
  return decoded(bytes, 'utf-8', true);
}

/** @param keepsMark whether a byte order mark stays in the text @returns undefined if they are not of this encoding */
function decoded(bytes: Buffer, encoding: string, keepsMark: boolean): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: keepsMark }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** @returns the encoding that a byte order mark names: Excel saves “Unicode Text” so; undefined without such a mark */
function wideEncoding([first, second]: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** .xlsx and .ods are ZIP files; .xls, and a workbook with a password, begin as OLE files do. */
const ZIP = Buffer.from('PK\u0003\u0004');
const OLE = Buffer.from('d0cf11e0', 'hex');

/** @returns whether the bytes are a packed file, as a workbook of Excel (.xlsx) is */
export function isPacked(bytes: Buffer): boolean {
  return bytes.subarray(0, ZIP.length).equals(ZIP);
}

/**
 * @param name of what was read, for the message
 * @returns the text of UTF-8, or of UTF-16 that begins with its mark
 * @throws Failure usage if the bytes are neither, or a packed file
 */
export function textOfBytes(bytes: Buffer, name: string, encoding?: 'windows-1252'): string {
  const isOld = encoding !== undefined && !bytes.includes(0);
  const known = wideEncoding(bytes) ?? (isOld ? encoding : undefined);
  const text = known ? decoded(bytes, known, false) : decodeUtf8(stripByteOrderMark(bytes));
  if (text !== undefined && !isPacked(bytes)) return text;
  throw usage('file-not-utf8', `${name} is not UTF-8 text.`, howToMakeUtf8(bytes));
}

/** @returns a sentence: how to make UTF-8 text of bytes that are none */
export function howToMakeUtf8(bytes: Buffer): string {
  const encoding = wideEncoding(bytes) ? 'UTF-16' : 'WINDOWS-1252';
  return isPacked(bytes) || bytes.subarray(0, OLE.length).equals(OLE)
    ? 'It is a workbook, or another packed file. In the spreadsheet, save it as “CSV UTF-8”, and give that file.'
    : `In a spreadsheet, save it as “CSV UTF-8”. Otherwise convert it, for example with \`iconv -f ${encoding} -t UTF-8\`.`;
}
