/** Hostile and foreign texts, and the characters that no output may have. */
import fc from 'fast-check';
import type { JsonObject } from '../../src/base/json.ts';
import { redactJson } from '../../src/host/redaction/redact.ts';

/** Everything that a terminal obeys or that makes text read as something else. */
export const DANGEROUS = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

const nasty = fc.constantFrom(
  ...['\u001b[2J', '\u001b]0;x\u0007', '\u009b31m', '\u007f', '\r', '\n', '\t', '\u0000', '\u0085'],
  ...[
    '\u202e',
    '\u2066',
    '\u200f',
    '\u061c',
    '\u2028',
    '\ud83d',
    '\udc00',
    '👩‍👩‍👧',
    '日本',
    'é',
    '"',
    '\\',
    ',',
  ],
);

/** Any text: plain, any code point, any UTF-16 unit, and bits that break things. */
export const anyText = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      nasty,
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

/** @returns whether a value has no number that may be a card's by chance */
export function hasNoLongNumber(value: unknown): boolean {
  return !/(?<![.\d])\d{12,19}(?![.\d])/.test(JSON.stringify(value));
}

/** Any record, nested, with any names but those of secrets, which would be hidden. */
export const anyRecord: fc.Arbitrary<JsonObject> = fc
  .dictionary(
    fc.oneof(
      fc.constantFrom('id', 'reference', 'amount', 'currency', 'message', 'address'),
      anyText,
    ),
    fc.oneof(anyText, fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' })) as fc.Arbitrary<
      JsonObject[string]
    >,
    { maxKeys: 8 },
  )
  .filter((record) => hasNoLongNumber(record) && redactJson(record) === record);
