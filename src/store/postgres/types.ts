/** How what the server sends becomes values: as SQLite's rows have them, so that one code reads both. */
import { fromStored } from '../stored-text.ts';

/** Object ids of types, which every server of this protocol has in common (pg_type). */
const BOOL = 16;
const BYTEA = 17;
const INT8 = 20;
const INT2 = 21;
const INT4 = 23;
const NUMERIC = 1700;
const TIMESTAMPTZ = 1184;
const TEXT_ARRAY = 1009;

const TEXT_VALUE = (text: string) => fromStored(text);

const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [BOOL]: (text) => text === 't',
  [BYTEA]: bytesOf,
  [INT2]: Number,
  [INT4]: Number,
  // A sum of amounts; of a `float8` a role may have digits left out.
  [NUMERIC]: Number,
  // Amounts are within it; what is not is exact as a bigint.
  [INT8]: (text) => {
    const number = Number(text);
    return Number.isSafeInteger(number) ? number : BigInt(text);
  },
  [TIMESTAMPTZ]: (text) => new Date(isoOf(text)).toISOString(),
};

/** For `types` of a client. */
export const typesOf = {
  getTypeParser(type: number) {
    if (type === TEXT_ARRAY) throw new Error('select a text array as JSON (to_json)');
    return PARSERS[type] ?? TEXT_VALUE;
  },
} as never;

/** @param text as `bytea_output` has it: `hex`, or `escape` where the role says so */
function bytesOf(text: string): Buffer {
  if (text.startsWith('\\x')) return Buffer.from(text.slice(2), 'hex');
  const plain = text.replace(/\\(?:([0-7]{3})|\\)/g, (_, octal?: string) =>
    octal === undefined ? '\\' : String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return Buffer.from(plain, 'latin1');
}

/** @param text `2026-03-10 09:30:00.123+00`, as `DateStyle` ISO has it */
function isoOf(text: string): string {
  return text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00');
}
