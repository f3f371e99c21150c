import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { OPERATIONS } from '../../../../src/contract/operations.ts';
import {
  objectOfText,
  type RowValues,
  textOfObject,
} from '../../../../src/store/ledger/object-text.ts';

/** No value of a test is that of a column, unless it says so. */
const ROW: RowValues = { id: 'an id', reference: null, amount: null, currency: null };
const NAMES = [...new Set(OPERATIONS.flatMap(({ response }) => Object.keys(response)))];

test('an object is read as it was written, to the last byte of its JSON', () => {
  const name = fc.oneof(fc.constantFrom(...NAMES, '__proto__', '!', '#', '7', ''), fc.string());
  const inColumns = fc.constantFrom('071-P-1', 'Ada', 'AUD', 2_500, 0, '');
  const value = fc.oneof(fc.jsonValue(), inColumns);
  const members = fc.array(fc.tuple(name, value), { maxLength: 30 });
  const row = fc.record({
    id: fc.constantFrom('071-P-1', 'an id'),
    reference: fc.constantFrom(null, 'Ada', ''),
    amount: fc.constantFrom(null, 2_500, 0),
    currency: fc.constantFrom(null, 'AUD'),
    name: fc.constantFrom(null, 'Ada', undefined),
    target: fc.constantFrom(null, 'Ada', undefined),
  });
  fc.assert(
    fc.property(members, row, (all, columns) => {
      const json = JSON.stringify(Object.fromEntries(all));
      const object = JSON.parse(json) as JsonObject;
      for (const store of ['sqlite', 'postgres'] as const) {
        const text = textOfObject(object, store, columns as RowValues);
        expect(JSON.stringify(objectOfText(text, columns as RowValues))).toBe(json);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a member without a value is left out, and one that is null is kept', () => {
  const object = { amount: undefined, currency: null } as unknown as JsonObject;
  expect(objectOfText(textOfObject(object, 'sqlite', ROW), ROW)).toEqual({ currency: null });
});

test.each(NAMES)('the name %s of a record takes one byte', (name) => {
  expect(textOfObject({ [name]: 1 }, 'sqlite', ROW)).toHaveLength('["#",1]'.length);
});

test('a value that a column has is in the column alone, and one that differs is in the text', () => {
  const row = { ...ROW, id: '071-P-1', amount: 2_500, currency: 'AUD' };
  const record = { id: '071-P-1', transaction_id: '071-P-1', amount: 2_500, currency: 'NZD' };
  expect(textOfObject(record, 'sqlite', row)).toBe('[" # 6 )/","NZD"]');
});
