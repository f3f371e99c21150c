import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Json, jsonIn, withNumbers } from '../../../src/base/json.ts';
import {
  answerJson,
  type Envelope,
  readEnvelope,
  writtenJson,
} from '../../../src/contract/envelope.ts';
import { recordsOf } from '../../../src/contract/normal.ts';
import { DEPLOYED_OPERATIONS, OPERATIONS } from '../../../src/contract/operations.ts';
import type { RecordFields } from '../../../src/contract/record.ts';
import { redactJson } from '../../../src/host/redaction/redact.ts';

const success: Json = { successful: true, response: { id: '001-P-1' }, errors: [], test: true };

describe('readEnvelope', () => {
  test('a success', () => {
    expect(readEnvelope(success)).toEqual({
      successful: true,
      response: { id: '001-P-1' },
      errors: [],
      test: true,
      counts: {},
    });
  });

  test.each<[string, Json, Partial<Envelope>]>([
    [
      'a list',
      { records: 2, total_records: 5, pages: 3, current_page: 1 },
      { counts: { records: 2, total_records: 5, pages: 3, current_page: 1 } },
    ],
    [
      'counts under other names',
      { page: 2, total_pages: 7 },
      { counts: { pages: 7, current_page: 2 } },
    ],
    [
      'both names, the interface’s counts',
      { pages: 3, total_pages: 7, current_page: 1, page: 2 },
      { counts: { pages: 3, current_page: 1 } },
    ],
    ['counts as text', { pages: '3', page: '0' }, { counts: { pages: 3, current_page: 0 } }],
    ['counts that are none', { pages: 'x', records: null, page: '-1' }, { counts: {} }],
    ['errors as a string', { errors: 'Invalid Card Number' }, { errors: ['Invalid Card Number'] }],
    ['errors as an empty string', { errors: '' }, { errors: [] }],
    ['errors as null', { errors: null }, { errors: [] }],
    ['errors as {}', { errors: {} }, { errors: [] }],
    ['errors as false', { errors: false }, { errors: [] }],
    [
      'errors that are not text',
      { errors: [1, { field: 'x' }, null] },
      { errors: ['1', '{"field":"x"}'] },
    ],
    ['errors as an object', { errors: { name: ['blank'] } }, { errors: ['{"name":["blank"]}'] }],
    ['live', { test: false }, { test: false }],
    ['test that is no boolean', { test: 'yes' }, { test: undefined }],
    ['response null', { response: null }, { response: null }],
    ['response {}', { response: {} }, { response: {} }],
    ['response a list', { response: [{ id: 1 }] }, { response: [{ id: 1 }] }],
    [
      'response filled on a failure',
      { successful: false, response: { id: null } },
      { successful: false, response: { id: null } },
    ],
  ])('an envelope with %s is read', (_, fields, expected) => {
    expect(readEnvelope({ ...(success as object), ...(fields as object) } as Json)).toMatchObject(
      expected,
    );
  });

  test('a body without errors, response and test', () => {
    expect(readEnvelope({ successful: false })).toEqual({
      successful: false,
      response: null,
      errors: [],
      test: undefined,
      counts: {},
    });
  });

  test.each<[Json]>([
    [null],
    [true],
    [7],
    ['text'],
    [[]],
    [{}],
    [{ successful: 'true' }],
    [{ successful: 1 }],
    [[success]],
  ])('%j is not an envelope', (body) => {
    expect(readEnvelope(body)).toBeUndefined();
  });

  test('any body with a boolean successful is read, with its response unchanged and its errors as texts', () => {
    const json = fc.jsonValue() as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(
        fc.record({
          successful: fc.boolean(),
          response: json,
          errors: json,
          test: json,
          pages: json,
        }),
        (body) => {
          const envelope = readEnvelope(body);
          expect(envelope?.successful).toBe(body.successful);
          expect(envelope?.response).toBe(body.response);
          expect(envelope?.errors.every((error) => typeof error === 'string')).toBe(true);
        },
      ),
    );
  });
});

describe('recordsOf', () => {
  test.each<[Json, number]>([
    [null, 0],
    [{}, 0],
    [[], 0],
    ['text', 0],
    [{ id: null }, 1],
    [[{ id: 1 }, {}, null, { id: 2 }], 2],
  ])('%j has %i', (response, count) => {
    expect(recordsOf(response)).toHaveLength(count);
  });
});

/** Numbers that JSON.parse changes, or that JavaScript writes in another way. */
const CHANGED = [
  ...['12345678901234567890', '9007199254740993', '-12345678901234567890'],
  ...['25.00', '0.30', '1.0', '0.0', '-0', '-0.0', '1e400', '-1E+400', '1e3', '1E-400', '2.50e1'],
  ...['0.1000000000000000055511151231257827', '0.0000001', '100000000000000000000', '1e-7'],
].filter((digits) => String(Number(digits)) !== digits);

const again = (text: string) => withNumbers(JSON.stringify(answerJson(text)));

describe('a number in an unknown field', () => {
  test.each(CHANGED)('is kept as it is written: %s', (digits) => {
    for (const text of [
      `{"fee":${digits}}`,
      `{"response":{"fees":[{"fee":${digits},"x":1}],"n":"a"}}`,
      `{"list":[${digits},1,"a",${digits}],"amount":2500}`,
      `[${digits}]`,
      digits,
    ])
      expect(again(text)).toBe(text);
    expect(again(`{ "a\\"b" : ${digits} , "t": "x" }`)).toBe(`{"a\\"b":${digits},"t":"x"}`);
  });

  test.each(['1', '0', '-1', '2.5', '0.1', '1e+21', '1e-7', '9007199254740991', '123456789012345'])(
    'is the number %s if nothing of it is lost',
    (digits) => expect(answerJson(`{"fee":${digits}}`)).toEqual({ fee: Number(digits) }),
  );
});

describe('a number in a known field', () => {
  test.each(['amount', 'decimal_amount', 'captured_amount', 'successful', 'total_records', 'test'])(
    'stays a number in %s',
    (name) => {
      for (const digits of CHANGED)
        expect(answerJson(`{"${name}": ${digits},"x":25.00}`)).toHaveProperty(name, Number(digits));
    },
  );

  test.each(['id', 'reference', 'authorization', 'transaction_id', 'customer', 'token', 'message'])(
    'is given as text in %s',
    (name) => {
      for (const digits of CHANGED)
        expect(answerJson(`{"${name}":${digits}}`)).toEqual({ [name]: digits });
    },
  );

  test('is known in every record of the interface', () => {
    const check = (fields: RecordFields): void => {
      for (const [name, type] of Object.entries(fields)) {
        const value = (answerJson(`{"${name}":25.00}`) as Record<string, unknown>)[name];
        const isText =
          ['text', 'text or integer'].includes(String(type)) || typeof type === 'object';
        expect(value, name).toBe(isText ? '25.00' : 25);
        if (typeof type === 'object') check(type);
      }
    };
    for (const { response } of [...OPERATIONS, ...DEPLOYED_OPERATIONS]) check(response);
  });
});

test.each([
  '{"t":"25.00, 1e400: 12345678901234567890","u":"\\":1.0"}',
  '{"t":"\\\\","u":1}',
  '"25.00"',
  '{"25.00":"1.0","":"x"}',
  '{"at":"2026-11-21T10:24:11.000Z","b":[[],{}]}',
  '[]',
  'null',
])('the texts of %s stay', (text) => {
  expect(answerJson(text)).toEqual(jsonIn(text));
  expect(answerJson(`[25.00,${text}]`)).toEqual([expect.any(String), jsonIn(text)]);
});

test.each(['', '{', '{"a":25.00', '{"a":01.0}', '25.', '{"a":1.0}x'])('%j is no JSON', (text) => {
  expect(answerJson(text)).toBeUndefined();
});

test.each([
  ...['4.111111111111111E15', '4111111111111111e0', '4111111111111111.00', '4111111111111111'],
  '6799990100000000019',
])('the card number %s is masked', (digits) => {
  for (const text of [`{"x":${digits}}`, `{"id":"a","pan":${digits},"list":[${digits}]}`])
    for (const value of [answerJson(text), writtenJson(text)])
      expect(JSON.stringify(redactJson(value ?? null))).not.toMatch(/41111111|4\.1111|67999901/);
});

test('each number is kept in JSON that is sent again', () => {
  const text = '{"id":12345678901234567890,"decimal_amount":25.00,"fee":[25.00,1]}';
  expect(withNumbers(JSON.stringify(writtenJson(text)))).toBe(text);
});

test('a number in a deep answer is kept without a stack that overflows', () => {
  const text = `${'['.repeat(50_000)}25.00${']'.repeat(50_000)}`;
  expect(answerJson(text)).toBeDefined();
});
