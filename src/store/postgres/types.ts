/** Converts values of the server to those that SQLite gives, so the same code reads both. */
import { fromStored } from '../sql.ts';

/** Object ids of types, which are the same on every server of this protocol (pg_type). */
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
  // A sum of amounts. As `float8`, a role's settings may drop digits.
  [NUMERIC]: Number,
  // Amounts fit a safe integer. Anything larger becomes a bigint.
  [INT8]: (text) => {
    const number = Number(text);
    return Number.isSafeInteger(number) ? number : BigInt(text);
  },
  [TIMESTAMPTZ]: (text) => new Date(isoOf(text)).toISOString(),
};

/** The `types` option of a client. */
export const typesOf = {
  getTypeParser(type: number) {
    if (type === TEXT_ARRAY) throw new Error('select a text array as JSON (to_json)');
    return PARSERS[type] ?? TEXT_VALUE;
  },
} as never;

/** @param text in the format of `bytea_output`: `hex`, or `escape` if the role has that setting */
function bytesOf(text: string): Buffer {
  if (text.startsWith('\\x')) return Buffer.from(text.slice(2), 'hex');
  const plain = text.replace(/\\(?:([0-7]{3})|\\)/g, (_, octal?: string) =>
    octal === undefined ? '\\' : String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return Buffer.from(plain, 'latin1');
}

/** @param text `2026-03-10 09:30:00.123+00`, the format of `DateStyle` ISO */
function isoOf(text: string): string {
  return text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00');
}
