import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/base/json.ts';
import { isPlainJson } from '../../../../src/host/redaction/plain-json.ts';
import { redactJson, redactText } from '../../../../src/host/redaction/redact.ts';
import { anyRecord } from '../../../helpers/arbitraries.ts';

const isPlain = (text: string) => isPlainJson(text, JSON.parse(text));

/** What masking looks for, and what stands beside it. */
const NAMES = [
  ...['number', 'card_number', 'pan', 'cvv', 'c-v-v', 'security code', 'cid', 'api_token'],
  ...['password', 'authorization', 'card_token', 'amount', 'reference', 'toString', '__proto__'],
];
const PIECES = [
  ...['4111111111111111', '4111 1111 1111 1111', '٤١١١١١١١١١١١١١١١', '41111111111', '1', '123'],
  ...[
    'cvv: 123',
    'CVC=999',
    'Basic dXNlcjpwYXNz',
    'https://ada:pw@example.com',
    'api_token=abc123',
  ],
  ...[
    'the security code was 123',
    'passphrase',
    '%34111111111111111',
    '&#52;',
    '\\u0034',
    '"',
    '\\',
  ],
  ...[
    ' ',
    '-',
    '.',
    '\t',
    '\n',
    'x',
    '://',
    '@',
    'é',
    '2026-03-10T09:30:00+00:00',
    '001-P-AAAA1111',
  ],
];
const word = fc.array(fc.constantFrom(...PIECES), { maxLength: 5 }).map((parts) => parts.join(''));
const name = fc.oneof(fc.constantFrom(...NAMES), word);
const NUMBERS = [4111111111111111, 4.111111111111111e15, -4111111111111111, 41111111111e5, 0, 123];
const leaf = fc.oneof(word, fc.constantFrom(...NUMBERS), fc.constantFrom(null, true, 1e21));
const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
}));

describe('isPlainJson', () => {
  test('is true of what a gateway sends', () => {
    const sent = {
      event: 'charge:successful',
      payload: [
        { id: '001-P-AAAA1111', card_number: '512345XXXXXX2346', card_token: 'abc', amount: 2500 },
        { customer: { email: 'ada@example.com' }, transaction_date: '2026-03-10T09:30:00+00:00' },
      ],
    };
    expect(isPlain(JSON.stringify(sent))).toBe(true);
    const numbered = {
      ...sent,
      id: '40001230-123456',
      uuid: '5e31f6a0-0000-4000-8000-000000000000',
    };
    expect(isPlain(JSON.stringify(numbered))).toBe(true);
  });

  test.each([
    ['a card number', '{"a":"4111111111111111"}'],
    ['one in groups', '{"a":"4111-1111-1111-1111"}'],
    ['one with letters between its groups, by its name', '{"pan":"4111a1111b1111c1111"}'],
    ['one in other digits', '{"a":"٤١١١١١١١١١١١١١١١"}'],
    ['one that is a number', '[4111111111111111]'],
    ['one with an exponent', '[41111111111e5]'],
    ['one whose digit is an escape', '{"a":"\\u0034111111111111111"}'],
    ['a secret by its name', '{"c.v.v":"a"}'],
    ['a secret that a text names', '{"a":"cvv 123"}'],
    ['the first of two values', '{"a":"api_token=abc123","a":1}'],
    ['a password in an address', '{"a":"https://ada:pw@example.com"}'],
    ['too many levels', `${'['.repeat(200)}${']'.repeat(200)}`],
  ])('is false of %s', (_, text) => {
    expect(isPlain(text)).toBe(false);
  });

  const isSame = (value: Json, text: string) =>
    redactJson(value) === value && redactText(text) === text;

  test('where it is true, masking changes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(anyValue, anyRecord), fc.constantFrom(0, 2), (made, indent) => {
        const text = JSON.stringify(made, null, indent);
        const value: Json = JSON.parse(text);
        expect(!isPlain(text) || isSame(value, text)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
