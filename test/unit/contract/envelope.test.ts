import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { type Envelope, readEnvelope } from '../../../src/contract/envelope.ts';
import { recordsOf } from '../../../src/contract/normal.ts';

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
