import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { OPERATIONS } from '../../../../src/contract/operations.ts';
import { objectOfText, textOfObject } from '../../../../src/store/ledger/object-text.ts';

const NAMES = [...new Set(OPERATIONS.flatMap(({ response }) => Object.keys(response)))];

test('an object is read as it was written, to the last byte of its JSON', () => {
  const name = fc.oneof(fc.constantFrom(...NAMES, '__proto__', '!', '#', '7', ''), fc.string());
  const members = fc.array(fc.tuple(name, fc.jsonValue()), { maxLength: 30 });
  fc.assert(
    fc.property(members, (all) => {
      const json = JSON.stringify(Object.fromEntries(all));
      const object = JSON.parse(json) as JsonObject;
      for (const store of ['sqlite', 'postgres'] as const)
        expect(JSON.stringify(objectOfText(textOfObject(object, store)))).toBe(json);
    }),
    { numRuns: 1_000 },
  );
});

test('a member without a value is left out, and one that is null is kept', () => {
  const object = { amount: undefined, currency: null } as unknown as JsonObject;
  expect(objectOfText(textOfObject(object, 'sqlite'))).toEqual({ currency: null });
});

test.each(NAMES)('the name %s of a record takes one byte', (name) => {
  expect(textOfObject({ [name]: 1 }, 'sqlite')).toHaveLength('["#",1]'.length);
});
